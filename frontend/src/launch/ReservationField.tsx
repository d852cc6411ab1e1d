// The reservations that the user may use, such as for a class, and a link that opens the form with the same reservation.
import type { Options } from "~/api/types";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice, Choices } from "~/ui/Choice";
import { CopyReservationLink } from "~/ui/CopyReservationLink";
import { Field } from "~/ui/Section";
import type { PartProps } from "./part";

type Reservation = Options["reservations"][number];
const words = strings.launch.reservations;

export function ReservationField({ draft, options, problems, change }: PartProps) {
  const now = useNow(60);
  const { reservations } = options;
  if (reservations.length === 0) return null;
  const chosen = reservations.find(({ name }) => name === draft.reservation);
  return (
    <Field label={words.label} hint={chosen === undefined ? words.hint : words.chosen(times(chosen, now))} problem={problems["reservation"]}>
      <Choices>
        <Choice name="reservation" value="" checked={draft.reservation === ""} onChoose={() => change({ reservation: "" })}>
          {words.none}
        </Choice>
        {reservations.map((reservation) => (
          <Choice
            key={reservation.name}
            name="reservation"
            value={reservation.name}
            checked={draft.reservation === reservation.name}
            onChoose={() => change({ reservation: reservation.name, partition: null })}
          >
            {words.choice(reservation.name, reservation.nodes, reservation.gpus)}
          </Choice>
        ))}
        {chosen !== undefined && <CopyReservationLink name={chosen.name} />}
      </Choices>
    </Field>
  );
}

function times({ starts_at, ends_at }: Reservation, now: number): { from: string | null; until: string | null } {
  const coming = starts_at !== null && Date.parse(starts_at) > now;
  return { from: coming ? clock(starts_at, now) : null, until: ends_at === null ? null : clock(ends_at, now) };
}
