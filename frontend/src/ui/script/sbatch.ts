// A batch script as the editor highlights it: shell, with Slurm's directives marked only where they count. sbatch stops
// reading directives at the first command (sbatch(1)); later ones are comments, and look like comments.
import type { StringStream } from "@codemirror/language";

export interface ScriptState {
  /** No command has appeared yet. */
  directives: boolean;
  inDirective: boolean;
  quote: '"' | "'" | null;
}

export const START: ScriptState = { directives: true, inDirective: false, quote: null };

const KEYWORDS = /^(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|function|return|exit|set|local|export|readonly|source|eval|exec|trap|shift|break|continue)\b/;
const COMMANDS = /^(?:srun|sbatch|scontrol|module|torchrun|python3?|mpirun|horovodrun|apptainer|singularity|jupyter|papermill|conda|echo|cd|mkdir|wait|sleep|hostname)\b/;
const VARIABLE = /^\$(?:\{[^}]*\}|\w+|[#?@*!$-])/;

/** The kind of the next token, by names of @lezer/highlight; null for plain text. */
export function token(stream: StringStream, state: ScriptState): string | null {
  if (stream.sol()) {
    state.inDirective = false;
    const begun = lineStart(stream, state);
    if (begun !== undefined) return begun;
  }
  if (state.inDirective) return directive(stream, state);
  if (state.quote !== null) return quoted(stream, state, state.quote);
  return shell(stream, state);
}

function lineStart(stream: StringStream, state: ScriptState): string | null | undefined {
  if (state.quote !== null) return undefined;
  if (stream.match("#!")) {
    stream.skipToEnd();
    return "processingInstruction";
  }
  if (state.directives && stream.match(/^#SBATCH(?=\s|$)/)) {
    state.inDirective = true;
    return "meta";
  }
  if (!stream.match(/^\s*(?:#|$)/, false)) state.directives = false;
  return undefined;
}

function directive(stream: StringStream, state: ScriptState): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  if (stream.match(/^--?[\w-]+/)) return "propertyName";
  if (stream.match("=")) return "operator";
  if (stream.match(/^"[^"]*"?|^'[^']*'?/)) return "string";
  if (stream.match(/^\d[\d:.,%-]*[KMGT]?(?=\s|$)/)) return "number";
  if (stream.match(/^[^\s=#]+/)) return "string";
  state.inDirective = false;
  stream.next();
  return null;
}

function shell(stream: StringStream, state: ScriptState): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  if (stream.match(VARIABLE)) return "variableName";
  const quote = stream.peek();
  if (quote === '"' || quote === "'") {
    stream.next();
    state.quote = quote;
    return quoted(stream, state, quote);
  }
  if (stream.match(KEYWORDS)) return "keyword";
  if (stream.match(COMMANDS)) return "function";
  if (stream.match(/^\\$/)) return "operator";
  if (stream.match(/^(?:&&|\|\||[|&;<>()]+)/)) return "operator";
  if (stream.match(/^-{1,2}[\w-]+/)) return "propertyName";
  if (stream.match(/^\d+(?=\s|$|[;)])/)) return "number";
  if (!stream.match(/^[^\s"'$#|&;<>()\\]+/)) stream.next();
  return null;
}

function quoted(stream: StringStream, state: ScriptState, quote: '"' | "'"): string {
  if (quote === '"' && stream.match(VARIABLE)) return "variableName";
  while (!stream.eol()) {
    if (quote === '"' && stream.peek() === "$" && stream.match(VARIABLE, false)) return "string";
    const next = stream.next();
    if (next === "\\" && quote === '"') stream.next();
    else if (next === quote) {
      state.quote = null;
      break;
    }
  }
  return "string";
}

/** Directives that the editor offers, each with a short description; sbatch(1) has them all. */
export const DIRECTIVES: readonly [string, string][] = [
  ["--account=", "account to charge"],
  ["--array=", "task numbers, 0-99%10"],
  ["--begin=", "not before"],
  ["--chdir=", "working folder"],
  ["--comment=", "note"],
  ["--constraint=", "node features"],
  ["--cpus-per-task=", "cores a task"],
  ["--dependency=", "afterok:123"],
  ["--error=", "error file"],
  ["--exclude=", "nodes to avoid"],
  ["--exclusive", "no other job on the nodes"],
  ["--gres=", "gpu:v100:2"],
  ["--gpus-per-node=", "v100:2"],
  ["--job-name=", "name"],
  ["--mem=", "memory a node, 48G"],
  ["--mem-per-cpu=", "memory a core"],
  ["--nodelist=", "these nodes"],
  ["--nodes=", "how many nodes"],
  ["--ntasks=", "tasks in all"],
  ["--ntasks-per-node=", "tasks a node"],
  ["--open-mode=", "append or truncate"],
  ["--output=", "output file"],
  ["--partition=", "partition"],
  ["--qos=", "quality of service"],
  ["--requeue", "start again after a node failure"],
  ["--no-requeue", "never start again"],
  ["--licenses=", "licences: NAME:COUNT"],
  ["--wckey=", "what accounting charges it to"],
  ["--reservation=", "reservation"],
  ["--signal=", "B:USR1@60"],
  ["--time=", "time limit, 1-00:00:00"],
];
