// A link that looks like a button: a real link (middle click, copy address) with a button's name and keys.
import { Button, type ButtonProps } from "@mantine/core";
import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "react-router-dom";

interface LinkButtonProps extends ButtonProps {
  children: ReactNode;
  "aria-label"?: string;
  title?: string;
}

const pressOnSpace = (event: KeyboardEvent<HTMLAnchorElement>) => {
  if (event.key !== " ") return;
  event.preventDefault();
  event.currentTarget.click();
};

/** To a page of the app. */
export function PageButton({ to, ...rest }: LinkButtonProps & { to: string }) {
  return <Button component={Link} to={to} role="button" onKeyDown={pressOnSpace} {...rest} />;
}

/** To a URL outside the app, in a new tab unless `sameTab`. */
export function OutsideButton({ href, sameTab = false, ...rest }: LinkButtonProps & { href: string; sameTab?: boolean }) {
  const tab = sameTab ? {} : { target: "_blank", rel: "noopener" };
  return <Button component="a" href={href} role="button" onKeyDown={pressOnSpace} {...tab} {...rest} />;
}
