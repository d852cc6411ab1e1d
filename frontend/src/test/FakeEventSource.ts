// An event stream driven by the test.
export class FakeEventSource extends EventTarget {
  static all: FakeEventSource[] = [];
  closed = false;

  constructor(
    readonly url: string,
    readonly after = "",
  ) {
    super();
    FakeEventSource.all.push(this);
  }

  static last(urlEnd: string): FakeEventSource {
    const source = FakeEventSource.all.filter(({ url, closed }) => url.endsWith(urlEnd) && !closed).at(-1);
    if (source === undefined) throw new Error(`no open stream ${urlEnd}; open: ${FakeEventSource.all.map(({ url }) => url).join()}`);
    return source;
  }

  connect(): void {
    this.dispatchEvent(new Event("open"));
  }

  fail(): void {
    this.dispatchEvent(new Event("error"));
  }

  send(name: string, data: unknown, lastEventId = ""): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }

  close(): void {
    this.closed = true;
  }
}
