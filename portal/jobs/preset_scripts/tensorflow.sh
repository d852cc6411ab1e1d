# One worker per node; TF_CONFIG gives each the addresses of all.
cat > "workers-$SLURM_JOB_ID.py" <<'PYTHON'
import json, os, subprocess

show = ["scontrol", "show", "hostnames", os.environ["SLURM_JOB_NODELIST"]]
hosts = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split()
port = 20000 + int(os.environ["SLURM_JOB_ID"]) % 20000
rank = int(os.environ["SLURM_PROCID"])
workers = [f"{host}:{port + number}" for number, host in enumerate(hosts)]
os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": rank}})

# Put your own training here. This fits a line across all workers.
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    slope, offset = (tf.Variable(0.0, aggregation=tf.VariableAggregation.MEAN) for _ in range(2))


def step():
    x = tf.random.uniform((256,), -1.0, 1.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((slope * x + offset - (3 * x + 1)) ** 2)
    for variable, gradient in zip((slope, offset), tape.gradient(loss, (slope, offset))):
        variable.assign_sub(0.3 * gradient)  # the mean over all workers
    return loss


@tf.function
def train():
    return strategy.reduce(tf.distribute.ReduceOp.MEAN, strategy.run(step), axis=None)


for _ in range(100):
    loss = train()
print(f"worker {rank} of {strategy.num_replicas_in_sync}: loss {loss.numpy():.4f}", flush=True)
PYTHON

srun python3 "workers-$SLURM_JOB_ID.py"
