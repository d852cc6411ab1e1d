// The connection to a shell: binary frames carry input and output, text frames the size and the shell's end. A lost
// connection is reopened; the shell has kept running, and resends its last output. What is typed before a shell is there
// waits for it. What is typed while the connection is lost is dropped: its user cannot see what it would answer.

export type State = "connecting" | "open" | "lost" | "over";

export interface Screen {
  output: (data: Uint8Array) => void;
  /** The output starts over from here. */
  fresh: () => void;
  state: (state: State) => void;
}

export interface Connection {
  type: (text: string) => void;
  typeBytes: (data: Uint8Array<ArrayBuffer>) => void;
  resize: (columns: number, rows: number) => void;
  isOver: () => boolean;
  /** Starts another shell after this one has ended. */
  again: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export function connect(address: string, screen: Screen): Connection {
  const encoder = new TextEncoder();
  let socket: WebSocket;
  let size: [number, number] | null = null;
  let over = false;
  let wait = FIRST_WAIT_MS;
  let typedAhead: Uint8Array<ArrayBuffer>[] | null = [];

  const send = (data: string | Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  const typeBytes = (data: Uint8Array<ArrayBuffer>) => {
    if (typedAhead) typedAhead.push(data);
    else send(data);
  };

  function open(): void {
    screen.state("connecting");
    socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wait = FIRST_WAIT_MS;
      screen.fresh();
      screen.state("open");
      if (size) send(JSON.stringify(size));
      typedAhead?.forEach(send);
      typedAhead = null;
    };
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === "string") {
        over = true;
        screen.state("over");
        socket.close();
      } else {
        screen.output(new Uint8Array(data));
      }
    };
    socket.onclose = () => {
      if (over) return;
      screen.state("lost");
      window.setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    };
  }

  open();
  return {
    type: (text) => typeBytes(encoder.encode(text)),
    typeBytes,
    resize: (columns, rows) => {
      size = [columns, rows];
      send(JSON.stringify(size));
    },
    isOver: () => over,
    again: () => {
      over = false;
      typedAhead = [];
      open();
    },
  };
}
