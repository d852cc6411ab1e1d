// Vite plugin: answers the portal's API from the mock, in `npm run dev:mock` and `npm run preview:mock`.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Connect, Plugin } from "vite";

import { makeHandler } from "./handler";

export function mockApi(): Plugin {
  const handle = makeHandler();
  const middleware: Connect.NextHandleFunction = (request, response, next) => {
    const url = request.url ?? "";
    if (url.includes("/portal/api/")) void answer(request, response, handle);
    else if (/^\/(hub|user)\/|\/(login|logout)\b/.test(url)) {
      response.setHeader("Content-Type", "text/html").end(`<title>Elsewhere</title><h1>Elsewhere</h1>${url}`);
    } else next();
  };
  return {
    name: "portal-mock-api",
    configureServer: (server) => void server.middlewares.use(middleware),
    configurePreviewServer: (server) => void server.middlewares.use(middleware),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.method ?? "GET";
  const answered = await handle(
    new Request(`http://mock${request.url}`, {
      method,
      signal: gone.signal,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks).toString() } : {}),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) response.end();
  else Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response);
}
