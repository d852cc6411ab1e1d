"""The demo's proxy, Hub and portal, their secrets, and the site's portal.toml."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from demo import people, postgresql
from demo.directory import CA_FILE, SERVICE_DN, SERVICE_PASSWORD_FILE
from demo.namespace import AGENT, BIN, DOOR, PORTAL_USER
from demo.processes import Processes
from demo.service import Service, answering, folder, write
from demo.site import INSIDE, Site
from portal.shipped import PROXY_NODE_OPTIONS

HOME = INSIDE / "portal"
SECRETS = HOME / "secrets"
SHARED = INSIDE / "shared"
MODULE_COMMAND = Path("/usr/lib/modulecmd.tcl")
SECRET_NAMES = ("hub_key", "service_token", "proxy_token", "encryption_key", "cookie_key")
PREFIX = "/services/portal"


class Web:
    def __init__(self, site: Site, processes: Processes) -> None:
        self.site = site
        self.processes = processes

    def services(self) -> list[Service]:
        site = self.site
        proxy_token = self._prepare_secrets()["proxy_token"]
        bin_folder = site.source / ".venv" / "bin"
        env: dict[str, str | Path] = {
            "PORTAL_CONFIG": site.portal_toml,
            "HOME": HOME,
            **_preloaded(),
        }
        return [
            Service(
                "proxy",
                "Proxy",
                argv=[
                    site.source / ".cache" / "node" / "node",
                    site.source / "demo/proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy",
                    *("--ip", "127.0.0.1", "--port", str(site.port)),
                    *("--api-ip", "127.0.0.1", "--api-port", str(site.ports["proxy_api"])),
                    *("--error-target", f"http://127.0.0.1:{site.ports['hub']}/hub/error"),
                    *(self._by_host() if site.hosts == "each" else ()),
                ],
                user=PORTAL_USER,
                env={"CONFIGPROXY_AUTH_TOKEN": proxy_token, "NODE_OPTIONS": PROXY_NODE_OPTIONS},
                ready=answering(site.ports["proxy_api"], "/api/routes", {"Authorization": f"token {proxy_token}"}),
                restart=True,
            ),
            Service(
                "hub",
                "JupyterHub",
                after=("proxy", "slapd", "settings"),
                argv=[site.python, bin_folder / "jupyterhub", "--config", site.source / "spawner/hub_config.py"],
                user=PORTAL_USER,
                env=env,
                cwd=HOME,
                ready=answering(
                    site.port, "/hub/api/", {"Host": urlsplit(site.hub_url).netloc}
                ),  # through the proxy: its routes then exist
                restart=True,
                grace_s=15,
            ),
            Service(
                "portal",
                "Portal",
                after=("slurmctld", "slapd", "settings", *self._database()),
                argv=[site.python, bin_folder / "portal", "serve"],
                user=PORTAL_USER,
                env=env,
                cwd=HOME,
                ready=answering(site.ports["portal"], f"{PREFIX}/healthz"),
                restart=True,
                grace_s=15,
            ),
            Service("settings", "Homes, shared storage, portal.toml", prepare=self._prepare),
        ]

    def _by_host(self) -> list[str]:
        return ["--host-routing", "--default-target", f"http://127.0.0.1:{self.site.ports['portal']}"]

    def _database(self) -> list[str]:
        return [self.site.database] if self.site.database == "postgresql" else []

    def _prepare_secrets(self) -> dict[str, str]:
        folder(HOME, PORTAL_USER)
        folder(SECRETS, PORTAL_USER, 0o700)
        for name in SECRET_NAMES:
            if not (SECRETS / name).exists():
                write(SECRETS / name, secrets.token_hex(32), PORTAL_USER, 0o600)
        return {name: (SECRETS / name).read_text() for name in SECRET_NAMES}

    async def _prepare(self) -> None:
        folder(HOME / "data", PORTAL_USER, 0o700)
        folder(INSIDE / "home")
        for person in people.PEOPLE:
            home = INSIDE / "home" / person.username
            home.mkdir(exist_ok=True)
            os.chown(home, person.uid, people.MAIN_GROUP[1])
            home.chmod(0o700)
        SHARED.mkdir(exist_ok=True)
        os.chown(SHARED, 0, people.MAIN_GROUP[1])
        SHARED.chmod(0o2775)
        folder(DOOR.parent)
        await self.processes.run(
            [self.site.python, "-m", "door.build", DOOR],
            log=self.site.log("settings"),
        )
        write(DOOR.with_name(DOOR.name + ".json"), json.dumps(self._door_config(), indent=2), mode=0o600)
        await self.processes.run(
            [self.site.python, "-m", "agent.build", AGENT],
            log=self.site.log("settings"),
        )
        command = self.site.source / ".venv" / "bin" / "portal"
        write(folder(BIN) / "portal", f'#!/bin/sh\nexec {self.site.python} {command} "$@"\n', mode=0o755)
        write(self.site.portal_toml, portal_toml(self.site), PORTAL_USER, 0o640)

    def _door_config(self) -> dict[str, object]:
        return {
            "conf": str(self.site.slurm_conf),
            "groups": [people.MAIN_GROUP[0]],
            "admin_groups": [people.ADMIN_GROUP],
            "extend_minutes": 48 * 60,
            "agent": str(AGENT),
            "log": str(self.site.log("portal-door")),
        }


def _preloaded() -> dict[str, str]:
    """Return what preloads a test's libraries into portal and Hub, to record syncs and to falsify the clock."""
    if (folder := os.environ.get("DSP_DEMO_PRELOADED")) is None:
        return {}
    return {
        "LD_PRELOAD": f"{folder}/synced.so {folder}/clock.so",
        "SYNCED_NOTES": f"{folder}/notes",
        "CLOCK_OFFSET": f"{folder}/offset",
    }


def portal_toml(site: Site) -> str:
    locks = site.source / "requirements"
    return f"""\
# Made anew at every start of the demo site.
data_dir = "{HOME}/data"
secrets_dir = "{SECRETS}"
log_format = "console"

[site]
name = "Data Scientist Portal"
support = "your administrators (this is a demo site)"

[server]
port = {site.ports["portal"]}
public_url = "{site.public_url}"

[database]
url = "{postgresql.URL if site.database == "postgresql" else ""}"

[hub]
public_url = "{site.hub_url if site.hosts == "each" else ""}"
subdomains = {str(site.hosts == "each").lower()}
port = {site.ports["hub"]}
proxy_api_url = "http://127.0.0.1:{site.ports["proxy_api"]}"

[ldap]
servers = ["ldaps://localhost:{site.ports["ldaps"]}"]
ca_file = "{CA_FILE}"
bind_dn = "{SERVICE_DN}"
bind_password_file = "{SERVICE_PASSWORD_FILE}"
user_base = "ou=people,{people.SUFFIX}"
group_base = "ou=groups,{people.SUFFIX}"
user_groups = ["{people.LOGIN_GROUP}"]
admin_groups = ["{people.ADMIN_GROUP}"]

[slurm]
conf = "{site.slurm_conf}"
door = ["sudo", "-n", "{DOOR}"]
client = "{site.client}"

[policy.extension]
most_s = 28800

[agent]
bind = "127.0.0.1"

[usage]
# Figures of a first visit are there before it is over.
sample_s = 30
read_every_s = 15

[[mounts]]
name = "shared"
path = "{SHARED}"
title = "Shared storage"

[environments.base]
title = "Python 3"
description = "NumPy, scikit-learn, Matplotlib"
path = "{site.environments}/base"

[environments.pytorch]
title = "PyTorch"
version = "2.13"
description = "PyTorch, transformers, ONNX Runtime"
path = "{site.environments}/pytorch"
packages = ["{locks}/environment-pytorch-cpu.txt", "{locks}/environment-pytorch.txt"]
extends = "base"
size_mb = 1600

[environments.jax]
title = "JAX"
version = "0.10"
description = "JAX, Flax, Optax and Keras"
path = "{site.environments}/jax"
packages = ["{locks}/environment-jax-cpu.txt", "{locks}/environment-jax.txt"]
extends = "base"
size_mb = 950

[environments.tensorflow]
title = "TensorFlow"
version = "2.21"
description = "TensorFlow, Keras and TensorBoard"
path = "{site.environments}/tensorflow"
packages = ["{locks}/environment-tensorflow-cpu.txt", "{locks}/environment-tensorflow.txt"]
extends = "base"
size_mb = 2100

[environments.xgboost]
title = "XGBoost"
version = "3.2"
description = "XGBoost, pandas and scikit-learn"
path = "{site.environments}/xgboost"
packages = ["{locks}/environment-xgboost-cpu.txt", "{locks}/environment-xgboost.txt"]
extends = "base"
size_mb = 500

[environments.pytensor]
title = "PyTensor"
version = "3.0"
description = "PyTensor, Theano's successor, with Numba"
path = "{site.environments}/pytensor"
packages = "{locks}/environment-pytensor.txt"
extends = "base"
size_mb = 600

[environments.mxnet]
title = "MXNet"
version = "1.9"
description = "Apache MXNet, which is no longer developed"
path = "{site.environments}/mxnet"
packages = "{locks}/environment-mxnet.txt"
extends = "base"
size_mb = 700

[environments.tools]
title = "Python 3 with modules"
description = "A module file of the demo loaded: what a site's own software looks like"
kind = "modules"
modules = ["demo-tools/1.1"]
extends = "base"

[modules]
command = "{MODULE_COMMAND}"
paths = ["{site.source}/demo/modulefiles"]

[images]
apptainer = "{apptainer(site)}"
site_folder = "{SHARED}/images"
pull_cpus = 2
pull_memory_mib = 2048

[templates]
folders = ["{site.source}/templates"]
"""


def apptainer(site: Site) -> Path:
    """Return the system's Apptainer, or the one that `./dev containers` installed in the clone."""
    unpacked = site.source / ".cache" / "apptainer" / "usr" / "bin" / "apptainer"
    return unpacked if unpacked.exists() else Path("/usr/bin/apptainer")
