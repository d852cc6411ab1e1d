"""Forms to start from: each one runs as it is, and shows where one's own program goes."""

from __future__ import annotations

from portal.jobs.form import ArraySpec, JobForm, Variable
from portal.jobs.schemas import PresetOut

_GIB = 1024

_TORCHRUN = """\
# One torchrun on each node starts the workers there; they find each other on the first node.
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export PORT=$((20000 + SLURM_JOB_ID % 20000))
export WORKERS=2   # on each node; with GPUs: as many as GPUs

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

srun --ntasks-per-node=1 bash -c 'torchrun --nnodes="$SLURM_NNODES" --nproc-per-node="$WORKERS" \\
  --node-rank="$SLURM_NODEID" --master-addr="$HEAD" --master-port="$PORT" "allreduce-$SLURM_JOB_ID.py"'
"""

_HOROVOD = """\
# One task for each worker; srun starts them all, and MPI joins them. Put your own training in place of train.py.
srun --mpi=pmix python train.py
"""

_SWEEP = """\
# Each task of the array takes one combination, by its number.
rates=(0.1 0.03 0.01 0.003)
sizes=(32 64 128)
rate=${rates[$((SLURM_ARRAY_TASK_ID % 4))]}
size=${sizes[$((SLURM_ARRAY_TASK_ID / 4))]}
echo "task $SLURM_ARRAY_TASK_ID: learning rate $rate, batch size $size"
python train.py --learning-rate "$rate" --batch-size "$size"
"""

_NOTEBOOK = """\
# Runs a notebook to its end and saves what it shows beside it. A parameter is a variable of the environment (EPOCHS,
# above): in the notebook, os.environ["EPOCHS"].
jupyter nbconvert --to notebook --execute --ExecutePreprocessor.timeout=-1 \\
  --output "$(basename "$NOTEBOOK" .ipynb)-$SLURM_JOB_ID.ipynb" "$NOTEBOOK"
"""

_TENSORFLOW = """\
# One worker on each node; TF_CONFIG tells each of them where all of them are. Put your own program for train.py.
cat > "tf-config-$SLURM_JOB_ID.py" <<'PYTHON'
import json, os, subprocess
show = ["scontrol", "show", "hostnames", os.environ["SLURM_JOB_NODELIST"]]
hosts = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split()
port = 20000 + int(os.environ["SLURM_JOB_ID"]) % 20000
workers = [f"{host}:{port + number}" for number, host in enumerate(hosts)]
task = {"type": "worker", "index": int(os.environ["SLURM_PROCID"])}
print(json.dumps({"cluster": {"worker": workers}, "task": task}))
PYTHON

srun bash -c 'export TF_CONFIG=$(python3 "tf-config-$SLURM_JOB_ID.py"); echo "$TF_CONFIG"; exec python train.py'
"""

_BANDWIDTH = """\
# How fast two nodes talk to each other: NVIDIA's test where the cluster has it, else 1 GB over plain TCP.
if command -v all_reduce_perf >/dev/null; then
  srun --mpi=pmix all_reduce_perf -b 8M -e 1G -f 2 -g 1
else
  export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  export PORT=$((20000 + SLURM_JOB_ID % 20000))
  srun python3 -c '
import os, socket, time
block, count = bytes(1 << 20), 1024
address = (os.environ["HEAD"], int(os.environ["PORT"]))
if os.environ["SLURM_PROCID"] == "0":
    with socket.create_server(("", address[1])) as server:
        peer, _ = server.accept()
        began, got = time.monotonic(), 0
        while piece := peer.recv(1 << 20):
            got += len(piece)
    seconds = time.monotonic() - began
    print(f"{got / 1e9:.2f} GB in {seconds:.2f} s: {got * 8 / seconds / 1e9:.2f} Gbit/s", flush=True)
else:
    for attempt in range(100):
        try:
            peer = socket.create_connection(address)
            break
        except OSError:
            time.sleep(0.1)
    for _ in range(count):
        peer.sendall(block)
    peer.close()
'
fi
"""


def presets() -> list[PresetOut]:
    """Return the presets; partition, account and environment are the user's to choose."""
    return [
        PresetOut(
            name="empty",
            title="Empty",
            description="A job of one task; the rest is yours.",
            form=JobForm(
                name="job", cpus_per_task=2, memory_mib_per_node=8 * _GIB, walltime_s=3600, command="hostname\n"
            ),
        ),
        PresetOut(
            name="torchrun",
            title="PyTorch over several nodes",
            description="torchrun on each node; the workers find each other on the first one.",
            form=JobForm(
                name="torchrun",
                nodes=2,
                tasks_per_node=1,
                cpus_per_task=4,
                memory_mib_per_node=16 * _GIB,
                walltime_s=3600,
                command=_TORCHRUN,
            ),
        ),
        PresetOut(
            name="horovod",
            title="Horovod or MPI",
            description="One task for each worker, joined by MPI.",
            form=JobForm(
                name="horovod",
                nodes=2,
                tasks_per_node=2,
                cpus_per_task=4,
                memory_mib_per_node=16 * _GIB,
                walltime_s=3600,
                command=_HOROVOD,
            ),
        ),
        PresetOut(
            name="sweep",
            title="Hyper-parameter sweep",
            description="An array: each task trains with one combination, four at once.",
            form=JobForm(
                name="sweep",
                cpus_per_task=4,
                memory_mib_per_node=8 * _GIB,
                walltime_s=3600,
                array=ArraySpec(range="0-11", at_once=4),
                command=_SWEEP,
            ),
        ),
        PresetOut(
            name="notebook",
            title="A notebook, run to its end",
            description="Executes a notebook with parameters and saves what it shows.",
            form=JobForm(
                name="notebook",
                cpus_per_task=4,
                memory_mib_per_node=16 * _GIB,
                walltime_s=3600,
                env=[Variable(name="NOTEBOOK", value="notebook.ipynb"), Variable(name="EPOCHS", value="10")],
                command=_NOTEBOOK,
            ),
        ),
        PresetOut(
            name="tensorflow",
            title="TensorFlow on several workers",
            description="One worker on each node, for MultiWorkerMirroredStrategy.",
            form=JobForm(
                name="tensorflow",
                nodes=2,
                tasks_per_node=1,
                cpus_per_task=4,
                memory_mib_per_node=16 * _GIB,
                walltime_s=3600,
                command=_TENSORFLOW,
            ),
        ),
        PresetOut(
            name="bandwidth",
            title="Bandwidth between two nodes",
            description="How fast the cluster's nodes talk to each other.",
            form=JobForm(
                name="bandwidth",
                nodes=2,
                tasks_per_node=1,
                cpus_per_task=2,
                memory_mib_per_node=2 * _GIB,
                walltime_s=600,
                command=_BANDWIDTH,
            ),
        ),
    ]
