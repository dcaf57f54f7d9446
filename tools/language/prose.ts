/** The prose check: finds retired words in comments and documents with textlint, so that code and text inside backticks do not count. */
import { TextlintKernel, type TextlintPluginDescriptor, type TextlintRuleDescriptor } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import terminology from 'textlint-rule-terminology'
import { retiredWords } from './retired-words.ts'
import type { Passage } from './sources.ts'

const kernel = new TextlintKernel()
const plugins = [{ pluginId: 'markdown', plugin: unwrap(markdown) }] as unknown as TextlintPluginDescriptor[]
const rules = [
  {
    ruleId: 'terminology',
    rule: unwrap(terminology),
    options: {
      defaultTerms: false,
      skip: ['BlockQuote'],
      terms: retiredWords.map(([pattern, instead]) => [`\\b(?:${pattern})\\b`, instead]),
    },
  },
] as unknown as TextlintRuleDescriptor[]

/** One line for each retired word, with its place and what to write instead. */
export async function findRetiredWords(passages: readonly Passage[]): Promise<string[]> {
  const suspects = passages.filter(({ text }) => anyRetired.test(text))
  const found = await Promise.all(suspects.map(lint))
  return found.flat()
}

/** Parsing Markdown takes most of the time, and most passages have no retired word even in their code. */
const anyRetired = new RegExp(`\\b(?:${retiredWords.map(([pattern]) => pattern).join('|')})\\b`, 'iu')

async function lint({ file, line, text }: Passage): Promise<string[]> {
  const { messages } = await kernel.lintText(text, { ext: '.md', plugins, rules })
  return messages.map((message) => `${file}:${line + message.loc.start.line - 1}: ${message.message}`)
}

/** These packages are CommonJS: a bundler's default export may be wrapped in another. */
function unwrap(module: unknown): unknown {
  const inner = (module as { default?: unknown }).default
  return inner === undefined ? module : inner
}
