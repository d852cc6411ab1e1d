// Copies the link that opens New session with a reservation chosen, to hand out to a class.
import { reservationLink } from "~/paths";
import { strings } from "~/strings/en";
import { CopyLink } from "./CopyLink";

const words = strings.launch.reservations;

export const CopyReservationLink = ({ name }: { name: string }) => (
  <CopyLink link={reservationLink(name)} text={words.copy} copied={words.copied} label={words.copyOf(name)} />
);
