// Creates a reservation: for whom, when, which nodes. The cluster page's side panel opens it with its nodes filled in.
import { Button, Switch, TextInput } from "@mantine/core";
import { useState } from "react";

import classes from "~/ui/Form.module.css";
import { byField, fromThrown } from "~/api/errors";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { useReserve } from "~/ui/operate/nodes";

const words = strings.admin.reservations;
const ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

export function ReserveDialog({ nodes = [], onClose }: { nodes?: readonly string[]; onClose: () => void }) {
  const reserve = useReserve();
  const [draft, setDraft] = useState({ name: "", starts: "", hours: "4", nodes: nodes.join(", "), gpus: "", gpuType: "", users: "", accounts: "", allNodes: false, maintenance: false });
  const problems = reserve.error === null ? {} : byField(fromThrown(reserve.error).fields);
  const field = (name: "name" | "starts" | "hours" | "nodes" | "gpus" | "gpuType" | "users" | "accounts") => ({
    value: draft[name],
    inputWrapperOrder: ORDER,
    autoComplete: "off",
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setDraft((old) => ({ ...old, [name]: value }));
    },
  });
  return (
    <Dialog opened onClose={onClose} title={words.makeTitle} closeLabel={strings.dialog.close}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          const asked = {
            name: draft.name.trim(),
            starts_at: draft.starts === "" ? null : new Date(draft.starts).toISOString(),
            minutes: Math.round(Number(draft.hours) * 60),
            nodes: draft.allNodes ? [] : list(draft.nodes),
            all_nodes: draft.allNodes,
            gpus: draft.allNodes || draft.gpus === "" ? null : Number(draft.gpus),
            gpu_type: draft.gpuType.trim() || null,
            users: list(draft.users),
            accounts: list(draft.accounts),
            flags: draft.maintenance ? (["MAINT", "IGNORE_JOBS"] as const).slice() : [],
          };
          reserve.mutate(asked, { onSuccess: onClose });
        }}
      >
        <TextInput label={words.name} error={problems["name"]} required maxLength={64} data-autofocus {...field("name")} />
        <div className={classes["pair"]}>
          <TextInput type="datetime-local" label={words.starts} description={words.startsHint} error={problems["starts_at"]} {...field("starts")} />
          <TextInput type="number" min={0.25} step={0.25} label={words.hours} error={problems["minutes"]} required {...field("hours")} />
        </div>
        {!draft.allNodes && (
          <>
            <TextInput label={words.nodes} description={words.nodesHint} error={problems["nodes"]} {...field("nodes")} />
            <div className={classes["pair"]}>
              <TextInput type="number" min={1} label={words.gpus} description={words.gpusHint} error={problems["gpus"]} {...field("gpus")} />
              <TextInput label={words.gpuType} error={problems["gpu_type"]} {...field("gpuType")} />
            </div>
          </>
        )}
        <Switch
          label={words.allNodes}
          checked={draft.allNodes}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            setDraft((old) => ({ ...old, allNodes: checked }));
          }}
        />
        <div className={classes["pair"]}>
          <TextInput label={words.users} description={words.whomHint} error={problems["users"]} {...field("users")} />
          <TextInput label={words.accounts} error={problems["accounts"]} {...field("accounts")} />
        </div>
        <Switch
          label={words.maintenance}
          checked={draft.maintenance}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            setDraft((old) => ({ ...old, maintenance: checked }));
          }}
        />
        {reserve.error !== null && <ProblemNote error={reserve.error} title={words.failed} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={reserve.isPending}>
            {words.reserve}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

export const list = (text: string) => text.split(/[\s,]+/).filter((part) => part !== "");
