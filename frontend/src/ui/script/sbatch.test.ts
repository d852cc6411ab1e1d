import { StringStream } from "@codemirror/language";
import { expect, it } from "vitest";

import { START, token } from "./sbatch";

/** The tokens of a script, as `kind:text`. */
function tokens(script: string): string[] {
  const state = { ...START };
  return script.split("\n").flatMap((line) => {
    const stream = new StringStream(line, 8, 2);
    const results: string[] = [];
    while (!stream.eol()) {
      const kind = token(stream, state);
      if (stream.pos === stream.start) throw new Error(`no progress at ${stream.pos} of ${line}`);
      if (kind !== null) results.push(`${kind}:${stream.current()}`);
      stream.start = stream.pos;
    }
    return results;
  });
}

it("tells directives from comments", () => {
  expect(tokens("#!/bin/bash\n#SBATCH --nodes=2 # two\n# note\n##SBATCH --nodes=3")).toEqual([
    "processingInstruction:#!/bin/bash",
    "meta:#SBATCH",
    "propertyName:--nodes",
    "operator:=",
    "number:2",
    "comment:# two",
    "comment:# note",
    "comment:##SBATCH --nodes=3",
  ]);
});

it("shows a directive after the first command as the comment it is to Slurm", () => {
  expect(tokens("#!/bin/bash\necho hi\n#SBATCH --nodes=2").at(-1)).toBe("comment:#SBATCH --nodes=2");
  expect(tokens("#!/bin/bash\n\n#SBATCH --time=1:00:00").at(-1)).toBe("number:1:00:00");
});

it("reads values of all kinds", () => {
  expect(tokens('#SBATCH -J "my job" --gres=gpu:v100:2 --mem=48G')).toEqual([
    "meta:#SBATCH",
    "propertyName:-J",
    'string:"my job"',
    "propertyName:--gres",
    "operator:=",
    "string:gpu:v100:2",
    "propertyName:--mem",
    "operator:=",
    "number:48G",
  ]);
});

it("reads shell: commands, variables, and text over several lines", () => {
  expect(tokens("srun python train.py --lr $LR")).toEqual(["function:srun", "function:python", "propertyName:--lr", "variableName:$LR"]);
  expect(tokens('echo "a $HOME b"')).toEqual(["function:echo", 'string:"a ', "variableName:$HOME", 'string: b"']);
  expect(tokens("echo 'one\ntwo' done")).toEqual(["function:echo", "string:'one", "string:two'", "keyword:done"]);
});

it("gets through anything", () => {
  for (const line of ["$", "\\", "'", '"$', "#SBATCH =", "#SBATCH ==--", "((a<<b))", "é ü", "#SBATCH #"]) expect(() => tokens(line)).not.toThrow();
});
