// The request that `public/early.js` sends before the app's code has arrived.
declare global {
  interface Window {
    dspEarly?: { url: string; response: Promise<Response> } | undefined;
  }
}

/** The response to this address if it was asked for early; once, since later ones have to be new. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = typeof window === "undefined" ? undefined : window.dspEarly;
  if (early?.url !== url) return undefined;
  window.dspEarly = undefined;
  return early.response;
}
