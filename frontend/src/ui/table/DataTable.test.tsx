// The one table: sorting, selection and keys; of a long list only what is in view is in the document.
import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";

import { DataTable, type Column } from "./DataTable";
import { OpenButton } from "./cells";
import { useSelection } from "./useSelection";

interface Row {
  name: string;
  gpus: number | null;
}

const idOf = ({ name }: Row) => name;
const COLUMNS: Column<Row>[] = [
  { id: "name", header: "Name", value: idOf, cell: ({ name }) => <OpenButton onOpen={() => {}}>{name}</OpenButton> },
  { id: "gpus", header: "GPUs", value: ({ gpus }) => gpus, downFirst: true },
  { id: "note", header: "Note", cell: () => "-" },
];
const ROWS: Row[] = [
  { name: "node10", gpus: 4 },
  { name: "Node9", gpus: null },
  { name: "node2", gpus: 8 },
];
const many = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ name: `n${index}`, gpus: index }));

function Table({ rows = ROWS, start = "" }: { rows?: Row[]; start?: string }) {
  const [sort, setSort] = useState(start);
  const selection = useSelection(idOf);
  return (
    <>
      <DataTable label="Nodes" rows={rows} idOf={idOf} columns={COLUMNS} sort={sort} onSort={setSort} selection={selection} />
      <output>{`${sort} ${selection.chosen.map(idOf).join()}`}</output>
    </>
  );
}

const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);
const chosen = () => screen.getByRole("status").textContent;

it("sorts names as people do, in both directions, and says so", async () => {
  render(<Table />);
  expect(names()).toEqual(["node10", "Node9", "node2"]);
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(names()).toEqual(["node2", "Node9", "node10"]);
  expect(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");
  expect(screen.getByRole("columnheader", { name: "GPUs" })).toHaveAttribute("aria-sort", "none");
  expect(screen.getByRole("columnheader", { name: "Note" })).not.toHaveAttribute("aria-sort");
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(names()).toEqual(["node10", "Node9", "node2"]);
  expect(chosen()).toBe("-name ");
});

it("puts unknown values last in either direction, and the most first where that is asked for", async () => {
  render(<Table />);
  await userEvent.click(screen.getByRole("button", { name: "GPUs" }));
  expect(names()).toEqual(["node2", "node10", "Node9"]);
  await userEvent.click(screen.getByRole("button", { name: "GPUs" }));
  expect(names()).toEqual(["node10", "node2", "Node9"]);
});

it("ignores a sort that names no column", () => {
  render(<Table start="-toString" />);
  expect(names()).toEqual(["node10", "Node9", "node2"]);
});

it("selects one, a range in the order shown, all and none", async () => {
  const user = userEvent.setup();
  render(<Table rows={many(5)} start="-gpus" />);
  const box = (name: string) => screen.getByRole("checkbox", { name });
  await user.click(box("Select n3"));
  await user.keyboard("{Shift>}");
  await user.click(box("Select n1"));
  await user.keyboard("{/Shift}");
  expect(chosen()).toBe("-gpus n3,n2,n1");
  expect(box("Select all")).toBePartiallyChecked();
  await user.click(box("Select all"));
  expect(chosen()).toBe("-gpus n3,n2,n1,n4,n0");
  await user.click(box("Select all"));
  expect(chosen()).toBe("-gpus ");
});

it("goes from row to row with the arrow keys, selecting with Shift, all with Ctrl+A and none with Escape", async () => {
  const user = userEvent.setup();
  render(<Table rows={many(4)} />);
  screen.getByRole("button", { name: "n0" }).focus();
  await user.keyboard("{ArrowDown}j");
  expect(screen.getByRole("button", { name: "n2" })).toHaveFocus();
  screen.getByRole("checkbox", { name: "Select n0" }).focus();
  await user.keyboard("[Space]{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
  expect(chosen()).toBe(" n0,n1,n2");
  await user.keyboard("{Control>}a{/Control}");
  expect(chosen()).toBe(" n0,n1,n2,n3");
  await user.keyboard("{Escape}");
  expect(chosen()).toBe(" ");
});

it("renders what is in view of five thousand rows, keeps the focused one, and tells how many there are", () => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40);
  render(<Table rows={many(5000)} />);
  const table = screen.getByRole("table", { name: "Nodes" });
  expect(table).toHaveAttribute("aria-rowcount", "5001");
  expect(within(table).getAllByRole("rowheader").length).toBeLessThan(60);
  screen.getByRole("button", { name: "n3" }).focus();
  Object.defineProperty(window, "scrollY", { value: 100_000, configurable: true });
  fireEvent.scroll(window);
  const far = within(table).getByRole("button", { name: "n2280" });
  expect(far.closest("tr")).toHaveAttribute("aria-rowindex", "2282");
  expect(within(table).getAllByRole("rowheader").length).toBeLessThan(60);
  expect(screen.getByRole("button", { name: "n3" })).toHaveFocus();
  fireEvent.click(within(table).getByRole("checkbox", { name: "Select all" }));
  expect(chosen().split(",")).toHaveLength(5000);
});

it("keeps the columns of a long list as wide as rows throughout it need", () => {
  // A column is as wide as the longest name that is rendered.
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(
    () => ({ width: Math.max(...names().map((name) => name.length)), top: 0 }) as DOMRect,
  );
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40);
  const { container } = render(<Table rows={many(5000).map((row, index) => (index === 4980 ? { ...row, name: "a-name-of-25-characters-x" } : row))} />);
  const widths = () => [...container.querySelectorAll("col")].map((column) => column.style.width);
  expect(widths()).toEqual(Array(4).fill("25px"));
  Object.defineProperty(window, "scrollY", { value: 100_000, configurable: true });
  fireEvent.scroll(window);
  expect(widths()).toEqual(Array(4).fill("25px"));
  expect(screen.queryByText("a-name-of-25-characters-x")).not.toBeInTheDocument();
});
