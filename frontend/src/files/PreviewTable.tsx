// The first rows of a table in a file: CSV, TSV or Parquet.
import { strings } from "~/strings/en";
import classes from "./Files.module.css";

const words = strings.files.preview;

export function PreviewTable({ name, head, rows, more }: { name: string; head: readonly string[]; rows: readonly (readonly string[])[]; more: boolean }) {
  return (
    <>
      <p className="quiet small">{words.rows(rows.length, more)}</p>
      <div className={classes["rows"]} tabIndex={0} role="region" aria-label={words.table(name)}>
        <table>
          <thead>
            <tr>
              {head.map((value, at) => (
                <th key={at} scope="col">
                  {value}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((value, at) => (
                  <td key={at}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
