"""Names what the forms offer beside sizes: features, licences, WCKeys, shards. Nothing is said of what a site lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portal.check.findings import Finding, good
from portal.cluster.shown import features
from portal.plurals import plural
from portal.policy.view import PartitionView
from portal.slurm.nodes import License

WCKeys = Mapping[str, tuple[str, ...]] | None


def site_options(
    partitions: Sequence[PartitionView], licenses: Sequence[License], wckeys: WCKeys, *, tracked: bool
) -> list[Finding]:
    """Return a finding for each option that Slurm has. `tracked`: whether slurm.conf has TrackWCKey=yes."""
    named = {feature.name for partition in partitions for feature in features(partition)}
    shards = {
        f"{plural(pool.shards_per_gpu, 'shard')} for each {pool.type.upper() or 'GPU'}"
        for partition in partitions
        for pool in partition.gpus
        if pool.shards_per_gpu
    }
    findings = [
        good(f"{title}: {', '.join(sorted(values))}")
        for title, values in (
            ("features to choose nodes by", named),
            ("licences", {f"{each.name} ({each.total})" for each in licenses}),
            ("parts of GPUs", shards),
        )
        if values
    ]
    return [*findings, _wckeys(wckeys)] if tracked else findings


def _wckeys(known: WCKeys) -> Finding:
    if known is None:
        return good(
            "WCKeys: tracked, but not offered, since slurmdbd lists them to operators only."
            " To offer them: sacctmgr modify user portal set AdminLevel=Operator"
        )
    names = sorted({name for each in known.values() for name in each})
    return good(f"WCKeys: {', '.join(names) or 'tracked, but nobody has one'}")
