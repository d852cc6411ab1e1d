// Keys of requests that make something lasting: while the same is tried again, it is the same request to the portal.

export interface RequestKeys {
  /** The key of what is asked: another one for each different request. */
  of: (asked: unknown) => string;
  /** It was done: the same asked once more is a new request. */
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

/** `crypto.randomUUID` is there on secure pages only. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
