"""Job scripts: the form that writes them, the parser that reads them, and what is wrong with them before submission."""
