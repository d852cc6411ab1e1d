import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";

const offers = queryOptions({ queryKey: ["apps"], queryFn: () => answer(() => client.GET("/apps")) });

/** Every app of the site, as available to me. */
export const useOffers = () => useQuery(offers);
