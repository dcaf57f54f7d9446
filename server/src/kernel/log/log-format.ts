import type { Config } from '../config/config.ts'

/**
 * What the process tells whoever runs it, beside its log: to a person as they read, to a collector as it reads everything else.
 * No level of the log keeps it back: without the setup code nobody gets in.
 */
export function consoleLine(
  { mode, logForm, role }: Pick<Config, 'mode' | 'logForm' | 'role'>,
  level: 'info' | 'error',
  text: string,
): string {
  if (mode !== 'production' || logForm !== 'json') return level === 'info' ? `${text}\n` : text
  return JSON.stringify({ level, time: new Date().toISOString(), role, msg: text })
}
