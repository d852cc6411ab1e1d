// Offers a better value for a field, with the reason; it changes nothing by itself.
import { Button } from "@mantine/core";

import classes from "./Offer.module.css";

interface OfferProps {
  why: string;
  take: string;
  onTake: () => void;
}

export function Offer({ why, take, onTake }: OfferProps) {
  return (
    <p className={classes["offer"]}>
      <span>{why}</span>
      <Button size="xs" variant="default" onClick={onTake}>
        {take}
      </Button>
    </p>
  );
}
