// The one table: columns, sorting, selection and keys. Of a long list only the rows in view are rendered. Where there is
// little room rows become cards, each value with its column's name; explicit roles survive that change of layout.
import { ChevronDownIcon, ChevronUpIcon } from "@primer/octicons-react";
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_text,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Column as TableColumn,
} from "@tanstack/react-table";
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode, type RefObject } from "react";

import { strings } from "~/strings/en";
import { AllCheck, RowCheck, type Selecting } from "./Checks";
import classes from "./DataTable.module.css";
import { moveByKey } from "./useSelection";

const words = strings.table;
/** Lists up to this length are rendered whole. */
const SHORT = 100;
const ROW_PX = 44;
/** So many rows of a long list say how wide its columns are. */
const SAMPLE = 60;

export interface Column<Row> {
  id: string;
  header: string;
  /** What it is sorted by, unknown values last; without it the column cannot be sorted. Also shown if there is no `cell`. */
  value?: (row: Row) => string | number | null;
  cell?: (row: Row) => ReactNode;
  /** In the row below all others. */
  footer?: ReactNode;
  /** Sorts downwards on the first click. */
  downFirst?: boolean;
  /** How its values look: figures below one another, running text that may wrap, or in the fixed-width font. */
  kind?: "number" | "text" | "mono";
  /** What it means, shown on hover. */
  hover?: string;
  /** Left out where there is little room. */
  wide?: boolean;
}

export interface DataTableProps<Row extends object> {
  label: string;
  rows: readonly Row[];
  idOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** The sort as the URL has it, `name` or `-name`, and how to change it; without them the order is that of `rows`. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** The rows are in this order already: they are pages of a list that the server sorts. */
  ordered?: boolean;
  selection?: Selecting<Row> | undefined;
  /** What a row is called where it is selected. */
  nameOf?: (row: Row) => string;
  /** The row whose details are open beside the table. */
  opened?: string | null;
  /** Rows that are accented. */
  isMine?: (row: Row) => boolean;
  /** What a row shows below itself; null for nothing. */
  below?: (row: Row) => ReactElement | null;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text },
});

const definitions = <Row extends object>(columns: readonly Column<Row>[]): ColumnDef<typeof features, Row>[] =>
  columns.map(({ id, header, value, downFirst = false }) => ({
    id,
    header,
    sortDescFirst: downFirst,
    sortUndefined: "last",
    ...(value && { accessorFn: (row: Row) => value(row) ?? undefined }),
  }));

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, idOf, columns, sort = "", onSort, ordered = false, selection, nameOf = idOf, opened, isMine, below } = props;
  const sorting = useMemo(() => [{ id: sort.replace(/^-/, ""), desc: sort.startsWith("-") }], [sort]);
  const table = useTable({
    features,
    columns: useMemo(() => definitions(columns), [columns]),
    data: rows,
    getRowId: idOf,
    enableSorting: onSort !== undefined,
    enableSortingRemoval: false,
    manualSorting: ordered,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === "function" ? change(sorting) : change;
      if (next !== undefined) onSort?.(`${next.desc ? "-" : ""}${next.id}`);
    },
  });
  const sorted = table.getRowModel().rows;
  const order = useMemo(() => sorted.map(({ original }) => original), [sorted]);
  const lines = order.flatMap((row) => {
    const more = below?.(row) ?? null;
    const line = { key: idOf(row), row, more: null as ReactElement | null };
    return more === null ? [line] : [line, { key: `${idOf(row)} below`, row, more }];
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const { inView, after, measure } = useView(lines, body);
  const { widths, sample } = useWidths(order, columns, body, measure !== undefined);
  const width = columns.length + (selection === undefined ? 0 : 1);
  return (
    <div className={`card ${classes["frame"]}`} tabIndex={0} role="region" aria-label={label}>
      {/* The controls inside take the focus; their key events bubble up to the table. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        role="table"
        className={classes["table"]}
        style={widths && { minWidth: widths.reduce((sum, width) => sum + width, 0) }}
        data-fixed={widths && true}
        aria-label={label}
        aria-rowcount={measure && lines.length + 1}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => event.defaultPrevented || moveByKey(event)}
      >
        {widths && (
          <colgroup>
            {widths.map((px, at) => (
              <col key={at} style={{ width: px }} />
            ))}
          </colgroup>
        )}
        <thead role="rowgroup">
          <tr role="row">
            {selection !== undefined && (
              <th role="columnheader" className={classes["select"]}>
                <AllCheck rows={order} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} sorting={table.getColumn(column.id)} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          {inView.map(({ line: { key, row, more }, index, gap }) => (
            <Fragment key={key}>
              <Space height={gap} width={width} />
              {more === null ? (
                <Line
                  row={row}
                  order={order}
                  columns={columns}
                  selection={selection}
                  name={nameOf(row)}
                  opened={key === opened}
                  mine={isMine?.(row) ?? false}
                  index={index}
                  measure={measure}
                />
              ) : (
                <tr role="row" ref={measure} data-index={index}>
                  <td role="cell" colSpan={width} className={classes["below"]}>
                    {more}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
          <Space height={after} width={width} />
          {sample.map((row) => (
            <Line
              key={`${idOf(row)} sample`}
              row={row}
              order={order}
              columns={columns}
              selection={selection}
              name={nameOf(row)}
              opened={false}
              mine={false}
              index={-1}
              measure={undefined}
            />
          ))}
        </tbody>
        {columns.some(({ footer }) => footer !== undefined) && (
          <tfoot role="rowgroup">
            <tr role="row">
              {columns.map((column, at) => (
                <Cell key={column.id} column={column} first={at === 0}>
                  {column.footer}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** The lines to render: all of a short list; of a long one those in view, and the one that holds the focus. */
function useView<Line extends { key: string }>(lines: readonly Line[], body: RefObject<HTMLElement | null>) {
  const long = lines.length > SHORT;
  const [top, setTop] = useState(0);
  // Its functions are called in this hook alone, at each render.
  // oxlint-disable-next-line react/incompatible-library
  const view = useWindowVirtualizer<HTMLTableRowElement>({
    count: lines.length,
    enabled: long,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 8,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const focused = Number(document.activeElement?.closest<HTMLElement>("tr[data-index]")?.dataset["index"] ?? -1);
      const seen = new Set(defaultRangeExtractor(range));
      // With its neighbours, for the arrow keys.
      if (focused >= 0) for (const index of [focused - 1, focused, focused + 1]) seen.add(index);
      return [...seen].filter((index) => index >= 0 && index < range.count).sort((a, b) => a - b);
    },
  });
  useEffect(() => {
    const element = body.current;
    if (!long || element === null) return;
    // What stands above may change its height.
    const sizes = new ResizeObserver(() => setTop(Math.round(element.getBoundingClientRect().top + window.scrollY)));
    sizes.observe(document.body);
    return () => sizes.disconnect();
  }, [long, body]);
  if (!long) return { inView: lines.map((line, index) => ({ line, index, gap: 0 })), after: 0, measure: undefined };
  const items = view.getVirtualItems();
  const inView = items.flatMap(({ index, start }, at) => {
    const line = lines[index];
    return line === undefined ? [] : [{ line, index, gap: start - (items[at - 1]?.end ?? top) }];
  });
  return { inView, after: view.getTotalSize() + top - (items.at(-1)?.end ?? top), measure: view.measureElement };
}

/**
 * The widths of a long list's columns: they stay while other rows come into view. Until they are known, `sample` is to
 * be rendered, too, rows from all over the list. They are measured anew when the table's own width changes.
 */
function useWidths<Row>(rows: readonly Row[], columns: readonly Column<Row>[], body: RefObject<HTMLElement | null>, long: boolean) {
  const key = columns.map(({ id }) => id).join();
  const [measured, setMeasured] = useState<{ key: string; widths: number[] }>();
  const widths = long && measured?.key === key ? measured.widths : undefined;
  const measuring = long && widths === undefined;
  useLayoutEffect(() => {
    const heads = body.current?.parentElement?.querySelectorAll("thead th") ?? [];
    // What was laid out is known only now; nothing is painted in between.
    // oxlint-disable-next-line react/set-state-in-effect
    if (measuring) setMeasured({ key, widths: [...heads].map((head) => Math.ceil(head.getBoundingClientRect().width)) });
  }, [measuring, key, body]);
  useEffect(() => {
    const frame = body.current?.closest("[role=region]");
    if (!long || !frame) return;
    let last = frame.clientWidth;
    const sizes = new ResizeObserver(() => {
      if (frame.clientWidth !== last) setMeasured(undefined);
      last = frame.clientWidth;
    });
    sizes.observe(frame);
    return () => sizes.disconnect();
  }, [long, body]);
  const step = Math.max(1, Math.floor(rows.length / SAMPLE));
  return { widths, sample: measuring ? rows.filter((_, index) => index % step === 0) : [] };
}

/** Stands for lines that are not rendered. */
function Space({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className={classes["space"]}>
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}

interface HeadProps<Row extends object> {
  column: Column<Row>;
  sorting: TableColumn<typeof features, Row> | undefined;
}

function Head<Row extends object>({ column: { header, hover, kind, wide }, sorting }: HeadProps<Row>) {
  const sorted = sorting?.getIsSorted() ?? false;
  const sorts = sorting?.getCanSort() ?? false;
  const order = sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none";
  return (
    <th role="columnheader" scope="col" aria-sort={sorts ? order : undefined} title={hover} data-kind={kind} data-wide={wide}>
      {sorts ? (
        <button type="button" className={classes["sort"]} title={hover ?? words.sortBy(header)} onClick={() => sorting?.toggleSorting()}>
          {header}
          {sorted === "asc" && <ChevronUpIcon size={12} />}
          {sorted === "desc" && <ChevronDownIcon size={12} />}
        </button>
      ) : (
        header
      )}
    </th>
  );
}

interface LineProps<Row> {
  row: Row;
  order: readonly Row[];
  columns: readonly Column<Row>[];
  selection: Selecting<Row> | undefined;
  name: string;
  opened: boolean;
  mine: boolean;
  index: number;
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
}

// Scrolling renders only what comes into view.
const Line = memo(function Line<Row>({ row, order, columns, selection, name, opened, mine, index, measure }: LineProps<Row>) {
  return (
    <tr
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={measure && index + 2}
      data-opened={opened || undefined}
      data-mine={mine || undefined}
      data-selected={selection?.has(row) || undefined}
    >
      {selection !== undefined && (
        <td role="cell" className={classes["select"]}>
          <RowCheck row={row} rows={order} name={name} selection={selection} />
        </td>
      )}
      {columns.map((column, at) => (
        <Cell key={column.id} column={column} first={at === 0}>
          {column.cell === undefined ? column.value?.(row) : column.cell(row)}
        </Cell>
      ))}
    </tr>
  );
}) as <Row>(props: LineProps<Row>) => ReactNode;

/** The first names the row. */
function Cell<Row>({ column: { header, kind, wide }, first, children }: { column: Column<Row>; first: boolean; children: ReactNode }) {
  const looks = { "data-kind": kind, "data-wide": wide };
  if (first) {
    return (
      <th role="rowheader" scope="row" {...looks}>
        {children}
      </th>
    );
  }
  return (
    <td role="cell" data-head={header} {...looks}>
      {children}
    </td>
  );
}
