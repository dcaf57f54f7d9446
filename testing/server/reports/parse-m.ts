/** Parses M with Microsoft's parser for Power Query. */
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser'

/** What is wrong with an expression or a section; null if the parser accepts it. */
export async function parseM(text: string): Promise<string | null> {
  const task = await TaskUtils.tryLexParse(DefaultSettings, text)
  if (TaskUtils.isParseStageOk(task)) return null
  return TaskUtils.isError(task) ? task.error.message : 'The parser stopped.'
}
