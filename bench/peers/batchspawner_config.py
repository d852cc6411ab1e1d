"""The peer's jupyterhub_config.py: batchspawner as in its README, with the addresses of this testbed.

Besides addresses and resources it sets only what this testbed needs: the paths of its Slurm and its programs (in no
usual place), batchspawner's class for several slurmd on one host, and servers on loopback.
"""

import json
import os

# "Even though not used, needed to register batchspawner interface"
import batchspawner  # type: ignore[import-not-found]  # noqa: F401

peer = json.loads(os.environ["BENCH_PEER"])
c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.JupyterHub.bind_url = f"http://127.0.0.1:{peer['port']}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{peer['hub_port']}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{peer['proxy_api_port']}"
c.ConfigurableHTTPProxy.command = peer["proxy"]
c.JupyterHub.pid_file = peer["pid_file"]
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.services = [{"name": "bench", "api_token": peer["token"]}]
c.JupyterHub.load_roles = [
    {"name": "bench", "services": ["bench"], "scopes": ["admin:users", "admin:servers", "access:servers"]}
]

c.JupyterHub.spawner_class = "batchspawner.MultiSlurmSpawner"
c.MultiSlurmSpawner.daemon_resolver = dict.fromkeys(peer["nodes"], "127.0.0.1")
c.Spawner.http_timeout = 120
c.Spawner.environment = {"SLURM_CONF": os.environ["SLURM_CONF"]}
c.Spawner.args = ["--ip=127.0.0.1"]
c.BatchSpawnerBase.req_nprocs = str(peer["cpus"])
c.BatchSpawnerBase.req_partition = peer["partition"]
c.BatchSpawnerBase.req_runtime = peer["runtime"]
c.BatchSpawnerBase.req_memory = f"{peer['memory_mib']}M"
c.SlurmSpawner.req_gres = f"gpu:{peer['gpus']}"
# srun passes on only what --export names, which does not include PATH; its documentation has these for that case.
c.BatchSpawnerBase.batchspawner_singleuser_cmd = f"{peer['programs']}/batchspawner-singleuser"
c.Spawner.cmd = [f"{peer['programs']}/jupyterhub-singleuser"]
