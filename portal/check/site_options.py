"""Names what the forms offer beside sizes: features, licences, WCKeys, parts of GPUs; nothing that a site lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portal.check.findings import Finding, good
from portal.cluster.shown import features
from portal.plurals import plural
from portal.policy.parts import PERCENT
from portal.policy.view import GpuPool, PartitionView
from portal.slurm.nodes import License

WCKeys = Mapping[str, tuple[str, ...]] | None


def site_options(
    partitions: Sequence[PartitionView], licenses: Sequence[License], wckeys: WCKeys, *, tracked: bool
) -> list[Finding]:
    """Return a finding for each option that Slurm has. `tracked`: whether slurm.conf has TrackWCKey=yes."""
    named = {feature.name for partition in partitions for feature in features(partition)}
    pools = [pool for partition in partitions for pool in partition.gpus]
    parts = {f"{plural(pool.shards_per_gpu, 'shard')} for each {_kind(pool)}" for pool in pools if pool.shards_per_gpu}
    parts |= {f"{_kind(pool)} by MPS" for pool in pools if pool.mps_per_gpu == PERCENT}
    parts |= {
        f"{_kind(pool)} by MPS in job scripts only, since Slurm counts mps:{pool.mps_per_gpu} for a GPU, not mps:100"
        for pool in pools
        if pool.mps_per_gpu not in (0, PERCENT)
    }
    findings = [
        good(f"{title}: {', '.join(sorted(values))}")
        for title, values in (
            ("features to choose nodes by", named),
            ("licences", {f"{each.name} ({each.total})" for each in licenses}),
            ("parts of GPUs", parts),
        )
        if values
    ]
    return [*findings, _wckeys(wckeys)] if tracked else findings


def _kind(pool: GpuPool) -> str:
    return pool.type.upper() or "GPU"


def _wckeys(known: WCKeys) -> Finding:
    if known is None:
        return good(
            "WCKeys: tracked, but not offered, since slurmdbd lists them to operators only."
            " To offer them: sacctmgr modify user portal set AdminLevel=Operator"
        )
    names = sorted({name for each in known.values() for name in each})
    return good(f"WCKeys: {', '.join(names) or 'tracked, but nobody has one'}")
