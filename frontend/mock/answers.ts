// What the invented API answers with.
import type { World } from "./world";

export type Handler = (request: Request, parts: string[], world: World) => Response | Promise<Response>;
/** Method, path below `/api/`, and who answers. */
export type Route = [string, RegExp, Handler];

type Past = readonly (readonly [string, unknown, number])[];
type Listeners = Set<(event: string, payload: unknown, id?: number) => void>;

export function stream(request: Request, listeners: Listeners, past: Past = []): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: string, payload: unknown, id?: number) => {
        const head = id === undefined ? "" : `id: ${id}\n`;
        controller.enqueue(encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`));
      };
      controller.enqueue(encoder.encode(": hello\n\n"));
      past.forEach(([event, payload, id]) => send(event, payload, id));
      listeners.add(send);
      request.signal.addEventListener("abort", () => listeners.delete(send));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
}

export function found(body: unknown, status = 200): Response {
  return body === undefined ? refuse(404, "not_found", "There is no such session.") : json(body, status);
}

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

export function refuse(status: number, code: string, message: string, hint = "", fields: unknown[] = []): Response {
  return json({ error: { code, message, hint, fields, request_id: "mock-0001" } }, status);
}
