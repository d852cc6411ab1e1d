# One torchrun per node starts that node's workers ("Tasks a node"); all find each other through the first node.
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export PORT=$((20000 + SLURM_JOB_ID % 20000))
export WORKERS=${SLURM_NTASKS_PER_NODE:-1}   # with GPUs: one per GPU
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}

cat > "allreduce-$SLURM_JOB_ID.py" <<'PYTHON'
# Put your own training here. This adds up the ranks of all workers.
import torch
import torch.distributed as dist

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
rank = torch.tensor([float(dist.get_rank())])
if torch.cuda.is_available():
    rank = rank.cuda(dist.get_rank() % torch.cuda.device_count())
dist.all_reduce(rank)
print(f"rank {dist.get_rank()} of {dist.get_world_size()}: the sum of all ranks is {rank.item():.0f}", flush=True)
dist.destroy_process_group()
PYTHON

srun --ntasks="$SLURM_NNODES" --ntasks-per-node=1 --cpus-per-task=$((WORKERS * ${SLURM_CPUS_PER_TASK:-1})) bash -c '
  torchrun --nnodes="$SLURM_NNODES" --nproc-per-node="$WORKERS" --node-rank="$SLURM_NODEID" \
    --master-addr="$HEAD" --master-port="$PORT" "allreduce-$SLURM_JOB_ID.py"'
