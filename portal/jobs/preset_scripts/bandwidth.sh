# Measures how fast two nodes exchange data: NVIDIA's test where the cluster has it, else 1 GB over plain TCP.
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
