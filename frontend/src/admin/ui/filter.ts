/** The filter in a page's address is `q`; links of before say `query` or `filter`. */
export const filterIn = (params: URLSearchParams) => params.get("q") ?? params.get("query") ?? params.get("filter") ?? "";
