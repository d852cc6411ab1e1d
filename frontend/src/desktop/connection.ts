// The connection to the desktop: noVNC, opened again whenever it is lost, because programs run on without a page.
import RFB from "@novnc/novnc";

export type State = "connecting" | "open" | "lost";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export class Connection {
  private rfb: RFB | undefined;
  private wait = FIRST_WAIT_MS;
  private resizes: boolean;

  constructor(
    private readonly address: string,
    private readonly screen: HTMLElement,
    private readonly shown: (state: State) => void,
    private readonly copied: (text: string) => void,
    private readonly viewOnly = false,
  ) {
    this.resizes = !viewOnly;
    this.open();
  }

  /** Whether the desktop gets the size of the page; otherwise, and for who only looks, its picture is scaled to fit. */
  resize(on: boolean): void {
    this.resizes = on && !this.viewOnly;
    if (this.rfb) this.rfb.resizeSession = this.resizes;
  }

  focus(): void {
    this.rfb?.focus();
  }

  paste(text: string): void {
    this.rfb?.clipboardPasteFrom(text);
  }

  /** Presses and releases a key, by its X keysym. */
  press(keysym: number): void {
    this.rfb?.sendKey(keysym, null);
  }

  private open(): void {
    this.shown("connecting");
    const rfb = new RFB(this.screen, this.address);
    this.rfb = rfb;
    rfb.background = "transparent";
    rfb.scaleViewport = true;
    rfb.resizeSession = this.resizes;
    rfb.viewOnly = this.viewOnly;
    rfb.addEventListener("connect", () => {
      this.wait = FIRST_WAIT_MS;
      this.shown("open");
      if (!this.viewOnly) rfb.focus();
    });
    rfb.addEventListener("clipboard", ({ detail }) => this.copied(detail.text));
    rfb.addEventListener("disconnect", () => {
      this.rfb = undefined;
      this.shown("lost");
      window.setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(LONGEST_WAIT_MS, this.wait * 2);
    });
  }
}
