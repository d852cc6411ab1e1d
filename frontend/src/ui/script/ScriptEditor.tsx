// The script in an editor; read-only without onChange. Loaded on demand: it is larger than everything else.
import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";

import { DIRECTIVES, START, token, type ScriptState } from "./sbatch";
import { changeBetween } from "./change";

interface ScriptEditorProps {
  value: string;
  label: string;
  onChange?: (value: string) => void;
  /** Any text instead of a job script. */
  plain?: boolean;
  /** The text has line ends of several kinds, which stay as they are. */
  mixedLineEnds?: boolean;
}

const FromOutside = Annotation.define<boolean>();

export default function ScriptEditor({ value, label, onChange, plain = false, mixedLineEnds = false }: ScriptEditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const tell = useRef(onChange);
  const first = useRef({ value, label, editable: onChange !== undefined, plain, mixedLineEnds });
  useEffect(() => {
    tell.current = onChange;
  });

  useEffect(() => {
    if (frame.current === null) return;
    const { value: doc, label: name, editable, plain, mixedLineEnds } = first.current;
    const listener = EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.some((transaction) => transaction.annotation(FromOutside) === true)) return;
      tell.current?.(update.state.doc.toString());
    });
    const made = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc,
        extensions: [
          ...LOOK,
          ...(plain ? [] : SCRIPT),
          ...(editable ? EDITING : READING),
          // A carriage return is a character of the line then.
          ...(mixedLineEnds ? [EditorState.lineSeparator.of("\n")] : []),
          listener,
          named(name, editable),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const known = view.current?.state.doc.toString();
    if (known === undefined || known === value) return;
    view.current?.dispatch({ changes: changeBetween(known, value), annotations: FromOutside.of(true) });
  }, [value]);

  return <div ref={frame} data-editor="" />;
}

function named(label: string, editable: boolean): Extension {
  return EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", ...(editable ? {} : { "aria-readonly": "true" }) });
}

const language = StreamLanguage.define<ScriptState>({
  name: "sbatch",
  startState: () => ({ ...START }),
  copyState: (state) => ({ ...state }),
  token,
  tokenTable: { function: tags.function(tags.variableName) },
  languageData: { commentTokens: { line: "#" } },
});

const colours = HighlightStyle.define([
  { tag: tags.meta, color: "var(--dsp-accent)", fontWeight: "650" },
  { tag: tags.processingInstruction, color: "var(--dsp-text-3)" },
  { tag: tags.propertyName, color: "var(--dsp-accent)" },
  { tag: tags.string, color: "var(--dsp-good)" },
  { tag: tags.number, color: "var(--dsp-wait)" },
  { tag: tags.keyword, fontWeight: "650" },
  { tag: tags.function(tags.variableName), fontWeight: "600" },
  { tag: tags.variableName, color: "var(--dsp-wait)" },
  { tag: tags.comment, color: "var(--dsp-text-3)", fontStyle: "italic" },
]);

const theme = EditorView.theme({
  "&": {
    border: "1px solid var(--dsp-line)",
    borderRadius: "var(--dsp-radius)",
    backgroundColor: "var(--dsp-surface)",
    color: "var(--dsp-text)",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "none", boxShadow: "var(--dsp-focus)" },
  ".cm-scroller": { fontFamily: "var(--dsp-mono)", lineHeight: "20px", maxHeight: "64vh", minHeight: "120px" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--dsp-text)" },
  ".cm-gutters": { border: "0", backgroundColor: "transparent", color: "var(--dsp-text-3)" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--dsp-hover)" },
  ".cm-cursor": { borderLeftColor: "var(--dsp-text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--dsp-accent-soft)",
  },
  ".cm-tooltip": { border: "1px solid var(--dsp-line)", backgroundColor: "var(--dsp-surface)", color: "var(--dsp-text)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--dsp-accent)", color: "var(--dsp-on-accent)" },
});

function directives(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/^#SBATCH\s+.*/);
  const word = context.matchBefore(/--[\w-]*|(?<=^#SBATCH\s+)\w*/);
  if (before === null || word === null) return null;
  return { from: word.from, options: DIRECTIVES.map(([label, detail]) => ({ label, detail, type: "property" })), validFor: /^-*[\w-]*$/ };
}

const SCRIPT: Extension[] = [language, syntaxHighlighting(colours), autocompletion({ override: [directives], icons: false })];
const LOOK: Extension[] = [theme, lineNumbers(), EditorView.lineWrapping];
const READING: Extension[] = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
const EDITING: Extension[] = [
  history(),
  drawSelection(),
  bracketMatching(),
  highlightActiveLine(),
  keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
];
