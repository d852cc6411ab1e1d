// Idempotency keys of requests that create something: retries of the same request use the same key.

export interface RequestKeys {
  /** The key for a request: a different one for each different request. */
  of: (asked: unknown) => string;
  /** The request succeeded: repeating it is a new request. */
  done: () => void;
}

export function requestKeys(): RequestKeys {
  let last = { text: "", key: "" };
  return {
    of(asked) {
      const text = JSON.stringify(asked);
      if (text !== last.text) last = { text, key: newKey() };
      return last.key;
    },
    done() {
      last = { text: "", key: "" };
    },
  };
}

/** `crypto.randomUUID` exists on secure pages only. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
