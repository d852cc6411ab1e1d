/** The filter in a page's URL is `q`; old links say `query` or `filter`. */
export const filterIn = (params: URLSearchParams) => params.get("q") ?? params.get("query") ?? params.get("filter") ?? "";
