// The parts of one page as links, each with its own URL. Back leaves the page instead of stepping through them.
import { Link } from "react-router-dom";

import classes from "./PartLinks.module.css";

interface PartLinksProps {
  label: string;
  parts: readonly { to: string; title: string; here: boolean }[];
}

export function PartLinks({ label, parts }: PartLinksProps) {
  return (
    <nav className={classes["parts"]} aria-label={label}>
      {parts.map(({ to, title, here }) => (
        <Link key={to} to={to} replace className={classes["part"]} aria-current={here ? "page" : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
