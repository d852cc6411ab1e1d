// The one place that turns a failed request into words: what happened and what to do next.
import { strings } from "~/strings/en";

export type ProblemKind = "expired" | "forbidden" | "missing" | "refused" | "later" | "offline" | "broken";

export interface FieldProblem {
  field: string;
  message: string;
}

interface ProblemInit {
  kind: ProblemKind;
  code: string;
  message: string;
  hint: string | null;
  fields: FieldProblem[];
  requestId: string | null;
}

export class Problem extends Error implements ProblemInit {
  readonly kind: ProblemKind;
  readonly code: string;
  readonly hint: string | null;
  readonly fields: FieldProblem[];
  readonly requestId: string | null;

  constructor(init: ProblemInit) {
    super(init.message);
    this.name = "Problem";
    this.kind = init.kind;
    this.code = init.code;
    this.hint = init.hint;
    this.fields = init.fields;
    this.requestId = init.requestId;
  }
}

/** The server's error body, or whatever came instead, as a Problem. */
export function fromResponse(status: number, body: unknown): Problem {
  const kind = kindOf(status);
  const content = readBody(body);
  const known = strings.problems[kind];
  return new Problem({
    kind,
    code: content.code ?? `http_${status}`,
    message: content.message ?? known.message,
    hint: content.hint ?? known.hint,
    fields: content.fields,
    requestId: content.requestId,
  });
}

/**
 * A response that is not the portal's own: the proxy in front cannot reach it for a moment, so it does not mean "not
 * found".
 */
export function fromAnswer(status: number, body: unknown): Problem {
  return status === 404 && readBody(body).code === null ? fromResponse(503, null) : fromResponse(status, body);
}

/** Anything thrown, as a Problem: a failed fetch means that the portal is unreachable. */
export function fromThrown(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const kind: ProblemKind = thrown instanceof TypeError ? "offline" : "broken";
  return new Problem({
    kind,
    code: kind,
    ...strings.problems[kind],
    fields: [],
    requestId: null,
  });
}

/**
 * Problems by the last part of their field: `resources.gpus` appears beside the form's `gpus`. An app's own options
 * keep their full name, `options.folder`, because an app may reuse the name of a form field.
 */
export function byField(problems: readonly FieldProblem[]): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { field, message } of problems) {
    const name = field.startsWith("options.") ? field : (field.split(".").at(-1) ?? field);
    messages[name] = name in messages ? `${messages[name]} ${message}` : message;
  }
  return messages;
}

function kindOf(status: number): ProblemKind {
  if (status === 401) return "expired";
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "missing";
  if (status === 429 || status === 502 || status === 503 || status === 504) return "later";
  return status >= 400 && status < 500 ? "refused" : "broken";
}

interface Told {
  code: string | null;
  message: string | null;
  hint: string | null;
  fields: FieldProblem[];
  requestId: string | null;
}

function readBody(body: unknown): Told {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const fields = Array.isArray(error["fields"]) ? error["fields"] : [];
  return {
    code: text(error["code"]),
    message: text(error["message"]),
    hint: text(error["hint"]),
    fields: fields.filter(isFieldProblem),
    requestId: text(error["request_id"]),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return isRecord(value) && typeof value["field"] === "string" && typeof value["message"] === "string";
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
