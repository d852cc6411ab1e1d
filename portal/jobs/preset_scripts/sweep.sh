# Each array task takes one combination, selected by its index.
rates=(0.3 0.1 0.03 0.01)
sizes=(8 32 128)
export RATE=${rates[$((SLURM_ARRAY_TASK_ID % 4))]}
export SIZE=${sizes[$((SLURM_ARRAY_TASK_ID / 4))]}

python3 - <<'PYTHON'
# Put your own training here. This fits a line and prints its final loss.
import os, random

rate, size = float(os.environ["RATE"]), int(os.environ["SIZE"])
random.seed(1)
points = [(x, 3 * x + 1 + random.gauss(0, 0.1)) for x in (random.uniform(-1, 1) for _ in range(1024))]
slope = offset = 0.0
for step in range(200):
    batch = random.sample(points, size)
    errors = [(slope * x + offset - y, x) for x, y in batch]
    slope -= rate * sum(error * x for error, x in errors) / size
    offset -= rate * sum(error for error, _ in errors) / size
loss = sum((slope * x + offset - y) ** 2 for x, y in points) / len(points)
print(f"learning rate {rate}, batch size {size}: loss {loss:.4f}")
PYTHON
