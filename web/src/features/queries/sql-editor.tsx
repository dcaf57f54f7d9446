/**
 * The SQL editor (CodeMirror). It lives in a shadow root, because there its styles are constructed style sheets, which the content
 * security policy allows; in the document they would be inline styles.
 */
import { autocompletion, completionKeymap, startCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, syntaxTree } from '@codemirror/language'
import { MSSQL, MySQL, PostgreSQL, sql } from '@codemirror/lang-sql'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import type { QueryDatabase, QueryTable } from '@tributary/contract/queries'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import css from './queries.module.css'
import { asOfCompletion } from './sql-as-of.ts'
import { columnCompletion, defaultSchema, toCompletionSchema } from './sql-completion.ts'
import { editorTheme, markPosition, positionMark } from './sql-editor-theme.ts'

export interface SqlEditorHandle {
  /** The selected text, or else all of it, with its offset. A part of one string, such as a suggested moment, is no statement. */
  readonly readStatement: () => { readonly statement: string; readonly offset: number }
  readonly setText: (text: string) => void
  readonly focus: () => void
}

interface SqlEditorProps {
  readonly ref: Ref<SqlEditorHandle>
  readonly initialText: string
  readonly dialect: QueryDatabase['Dialect']
  readonly tables: readonly QueryTable[]
  /** Offset of an error. Null marks nothing. */
  readonly errorAt: number | null
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

/**
 * Replaces a selection without the browser, which would join the lines by inline styles. The content security policy forbids these.
 */
const replaceBySelf = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    if (inputType !== 'insertText' || data === null || isComposing) return false
    if (view.state.selection.main.empty && !data.includes('\n')) return false
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type' })
    return true
  },
})

const dialects = { postgres: PostgreSQL, mysql: MySQL, sqlserver: MSSQL } as const

export function SqlEditor({ ref, initialText, dialect, tables, errorAt, onChange, onRun }: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<{ readonly view: EditorView; readonly language: Compartment } | null>(null)
  const change = useEffectEvent(onChange)
  const run = useEffectEvent(onRun)
  const create = useEffectEvent((parent: HTMLDivElement) => {
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
    const language = new Compartment()
    const extensions = [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }])),
      // Tab is not bound, so that the keyboard can leave the editor.
      keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      history(),
      lineNumbers(),
      drawSelection(),
      bracketMatching(),
      autocompletion({ activateOnTyping: true }),
      EditorView.lineWrapping,
      placeholder('SELECT …'),
      EditorView.contentAttributes.of({ 'aria-label': 'SQL', 'aria-multiline': 'true', spellcheck: 'false' }),
      EditorView.updateListener.of(({ docChanged, state }) => docChanged && change(state.doc.toString())),
      replaceBySelf,
      positionMark,
      editorTheme,
      language.of(languageOf(dialect, tables)),
    ]
    const view = new EditorView({ parent: root, root, state: EditorState.create({ doc: initialText, extensions }) })
    return { view, language }
  })

  useEffect(() => {
    if (host.current === null) return
    const created = create(host.current)
    editor.current = created
    return () => created.view.destroy()
  }, [])
  useEffect(() => {
    if (editor.current === null) return
    const { view, language } = editor.current
    view.dispatch({ effects: language.reconfigure(languageOf(dialect, tables)) })
    if (view.hasFocus && isInWord(view.state)) startCompletion(view)
  }, [dialect, tables])
  useEffect(() => {
    editor.current?.view.dispatch({ effects: markPosition.of(errorAt) })
  }, [errorAt])
  useImperativeHandle(ref, () => handleOf(() => editor.current?.view), [])
  return <div ref={host} className={css.editor} data-sql-editor />
}

/** Whether a name was begun, possibly before the names of the tables had come. */
function isInWord(state: EditorState): boolean {
  const { empty, head } = state.selection.main
  return empty && /[\p{L}\p{N}_.]/u.test(state.sliceDoc(Math.max(head - 1, 0), head))
}

function languageOf(dialect: QueryDatabase['Dialect'], tables: readonly QueryTable[]) {
  const chosen = dialects[dialect]
  return [
    sql({
      dialect: chosen,
      schema: toCompletionSchema(tables, dialect),
      defaultSchema: defaultSchema(tables, dialect),
      upperCaseKeywords: true,
    }),
    chosen.language.data.of({ autocomplete: columnCompletion(tables, dialect) }),
    chosen.language.data.of({ autocomplete: asOfCompletion(tables, dialect, () => Date.now()) }),
  ]
}

function handleOf(viewOf: () => EditorView | undefined): SqlEditorHandle {
  return {
    readStatement() {
      const state = viewOf()?.state
      if (state === undefined) return { statement: '', offset: 0 }
      const { from, to } = state.selection.main
      const token = syntaxTree(state).resolveInner(from, 1)
      const isInString = token.name === 'String' && to <= token.to
      return from === to || isInString
        ? { statement: state.doc.toString(), offset: 0 }
        : { statement: state.sliceDoc(from, to), offset: from }
    },
    setText(text) {
      const view = viewOf()
      view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    focus: () => viewOf()?.focus(),
  }
}
