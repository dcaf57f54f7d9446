/** Colours of the SQL editor, and the mark of an error. The custom properties of the page apply in the shadow root, too. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--link)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--info)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--text-subtle)', fontStyle: 'italic' },
])

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--card)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--text-subtle)', backgroundColor: 'var(--sunken)', border: 'none' },
  '.cm-placeholder': { color: 'var(--text-subtle)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)' },
  '.cm-error': {
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '4px',
    backgroundColor: 'var(--error-soft)',
  },
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--raised)', border: '1px solid var(--divider)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-completionInfo': { maxHeight: '240px', overflow: 'auto' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', backgroundColor: 'var(--selected)' },
})

export const editorTheme: Extension = [theme, syntaxHighlighting(highlighting)]

/** Marks the word at this offset; null removes the mark. So does typing. */
export const markPosition = StateEffect.define<number | null>()

export const positionMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, state }) {
    const given = effects.findLast((effect) => effect.is(markPosition))
    if (given === undefined) return docChanged ? Decoration.none : marks
    if (given.value === null) return Decoration.none
    const at = Math.min(given.value, state.doc.length)
    const word = state.wordAt(at)
    const from = word?.from ?? Math.min(at, Math.max(0, state.doc.length - 1))
    const to = word?.to ?? Math.min(from + 1, state.doc.length)
    return from === to ? Decoration.none : Decoration.set([Decoration.mark({ class: 'cm-error' }).range(from, to)])
  },
  provide: (field) => EditorView.decorations.from(field),
})
