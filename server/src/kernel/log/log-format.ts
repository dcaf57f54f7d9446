import type { Config } from '../config/config.ts'

/**
 * Formats messages for the operator, such as the setup code, in the form of the log. They are written at every log level:
 * without the setup code no one can sign in.
 */
export function consoleLine(
  { mode, logForm, role }: Pick<Config, 'mode' | 'logForm' | 'role'>,
  level: 'info' | 'error',
  text: string,
): string {
  if (mode !== 'production' || logForm !== 'json') return level === 'info' ? `${text}\n` : text
  return JSON.stringify({ level, time: new Date().toISOString(), role, msg: text })
}
