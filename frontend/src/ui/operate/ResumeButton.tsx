import { Button } from "@mantine/core";

import { fromThrown } from "~/api/errors";
import { strings } from "~/strings/en";
import { useResume } from "./nodes";

const words = strings.admin.nodes;

/** Resumes nodes at once, without a dialog: nothing can be lost. */
export function ResumeButton({ nodes, size = "xs" }: { nodes: readonly string[]; size?: "xs" | "sm" }) {
  const resume = useResume();
  return (
    <>
      <Button
        size={size}
        variant="default"
        aria-label={words.resumeOf(nodes.join(", "))}
        loading={resume.isPending}
        onClick={() => resume.mutate([...nodes])}
      >
        {words.resume}
      </Button>
      {resume.error !== null && (
        <span role="alert" className="small" style={{ color: "var(--dsp-bad)" }}>
          {words.resumeFailed}: {fromThrown(resume.error).message}
        </span>
      )}
    </>
  );
}
