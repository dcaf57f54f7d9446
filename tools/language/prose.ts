/**
 * The prose check: finds retired words in comments and documents with textlint, so that code and text inside backticks
 * do not count.
 */
import { TextlintKernel, type TextlintKernelPlugin, type TextlintKernelRule } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import terminology from 'textlint-rule-terminology'
import { retiredWords } from './retired-words.ts'
import type { Passage } from './sources.ts'

const kernel = new TextlintKernel()
const plugins = [{ pluginId: 'markdown', plugin: unwrap<unknown>(markdown) }] as TextlintKernelPlugin[]
const rules = [
  {
    ruleId: 'terminology',
    rule: unwrap<unknown>(terminology),
    options: {
      defaultTerms: false,
      skip: ['BlockQuote'],
      terms: retiredWords.map(([pattern, instead]) => [`\\b(?:${pattern})\\b`, instead]),
    },
  },
] as TextlintKernelRule[]

/** Returns one line for each retired word, with its file and line and what to write instead. */
export async function findRetiredWords(passages: readonly Passage[]): Promise<string[]> {
  return (await Promise.all(passages.map(lint))).flat()
}

/** How many of the passages have a retired word. */
export async function countRetired(passages: readonly Passage[]): Promise<number> {
  const found = await Promise.all(passages.map(lint))
  return found.filter((lines) => lines.length > 0).length
}

/** Parsing Markdown takes most of the time, and most passages have no retired word even in their code. */
const anyRetired = new RegExp(`\\b(?:${retiredWords.map(([pattern]) => pattern).join('|')})\\b`, 'iu')

async function lint({ file, line, text }: Passage): Promise<string[]> {
  if (!anyRetired.test(text)) return []
  const { messages } = await kernel.lintText(text, { ext: '.md', plugins, rules })
  return messages.map((message) => `${file}:${line + message.loc.start.line - 1}: ${message.message}`)
}

/** These packages are CommonJS: a bundler's default export may be wrapped in another. */
function unwrap<T>(module: T): T {
  return (module as { default?: T }).default ?? module
}
