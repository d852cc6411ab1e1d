# One task per worker, connected by MPI: started by Slurm if it supports PMIx, else by Open MPI's own mpirun.
if srun --mpi=pmix sleep 1 2>/dev/null; then start="srun --mpi=pmix"; else start="mpirun --bind-to none"; fi

cat > "allreduce-$SLURM_JOB_ID.py" <<'PYTHON'
# Put your own training here. Horovod starts the same way: import horovod.torch as hvd; hvd.init()
from mpi4py import MPI

world = MPI.COMM_WORLD
total = world.allreduce(world.rank)
print(f"rank {world.rank} of {world.size} on {MPI.Get_processor_name()}: the sum of all ranks is {total}", flush=True)
PYTHON

$start python3 "allreduce-$SLURM_JOB_ID.py"
