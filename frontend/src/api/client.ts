// The generated client, with two additions: writes carry the CSRF token, and every failure is thrown as a Problem.
import createClient, { type Middleware } from "openapi-fetch";

import { takeEarly } from "~/lib/early";
import { API } from "~/paths";
import { Problem, fromAnswer, fromThrown } from "./errors";
import type { paths } from "./schema.gen";
import type { Me } from "./types";

let csrfToken: string | null = null;

/** Writes with the login cookie carry this; `null` for callers with their own token. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** For writes that do not go through the client: uploads. */
export const csrfHeaders = (): Record<string, string> => (csrfToken === null ? {} : { "X-CSRF-Token": csrfToken });

const csrf: Middleware = {
  onRequest({ request }) {
    if (csrfToken !== null && request.method !== "GET") request.headers.set("X-CSRF-Token", csrfToken);
    return request;
  },
};

export const client = createClient<paths>({
  baseUrl: typeof location === "undefined" ? API : new URL(API, location.origin).href,
  headers: { Accept: "application/json" },
  fetch: (request) => takeEarly(request.url) ?? globalThis.fetch(request),
});
client.use(csrf);

/** Like `answer`, for responses without a body. */
export async function done(send: () => Promise<Answered<unknown>>): Promise<void> {
  await answer(async () => {
    const answered = await send();
    return answered.response.ok ? { ...answered, data: true } : { ...answered, data: undefined };
  });
}

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The response's body, or a thrown Problem. Retries once if only the CSRF token was out of date. */
export async function answer<T>(send: () => Promise<Answered<T>>): Promise<NonNullable<T>> {
  try {
    return await once(send);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.kind !== "forbidden" || !problem.code.includes("csrf")) throw problem;
    const me = await once<Me>(() => client.GET("/me"));
    setCsrfToken(me.csrf_token);
    return await once(send);
  }
}

async function once<T>(send: () => Promise<Answered<T>>): Promise<NonNullable<T>> {
  try {
    const { data, error, response } = await send();
    if (!response.ok || data === undefined || data === null) throw fromAnswer(response.status, error);
    return data;
  } catch (thrown) {
    throw fromThrown(thrown);
  }
}
