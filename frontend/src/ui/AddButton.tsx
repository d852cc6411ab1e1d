import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";

/** Adds an entry to a list of a form. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}
