// What TypeScript does not know: the part of noVNC that the page uses (docs/API.md in the package), and a query of ours.
declare module "@novnc/novnc" {
  interface Events {
    connect: CustomEvent;
    disconnect: CustomEvent<{ clean: boolean }>;
    clipboard: CustomEvent<{ text: string }>;
  }

  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, url: string);
    background: string;
    resizeSession: boolean;
    scaleViewport: boolean;
    viewOnly: boolean;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    focus(): void;
    sendKey(keysym: number, code: string | null): void;
    addEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void;
  }
}

declare module "*.css?inline&desktop" {
  const css: string;
  export default css;
}
