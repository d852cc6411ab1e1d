# One task for each worker, joined by MPI: by Slurm where it speaks PMIx, else by Open MPI's own mpirun.
if srun --mpi=pmix sleep 1 2>/dev/null; then start="srun --mpi=pmix"; else start="mpirun --bind-to none"; fi

cat > "allreduce-$SLURM_JOB_ID.py" <<'PYTHON'
# Put your own training here. Horovod begins in the same place: import horovod.torch as hvd; hvd.init()
from mpi4py import MPI

world = MPI.COMM_WORLD
total = world.allreduce(world.rank)
print(f"rank {world.rank} of {world.size} on {MPI.Get_processor_name()}: the sum of all ranks is {total}", flush=True)
PYTHON

$start python3 "allreduce-$SLURM_JOB_ID.py"
