/** A test's server, and the console of the same installation. */
import { PassThrough } from 'node:stream'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { describeConfig } from '../../../server/src/kernel/config/describe-settings.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { templateKeys } from '../app/template-keys.ts'
import { runCommand } from '../../../server/src/cli/run-command.ts'
import { type Ended, endedWith } from './command-result.ts'

export interface TestConsole extends AsyncDisposable {
  readonly app: TestApp
  /** What the operator's environment says. */
  readonly env: Readonly<Record<string, string>>
  /** A command as it runs in a process of its own, without the second that this takes. */
  run(...words: readonly string[]): Promise<Ended>
}

export async function testConsole(): Promise<TestConsole> {
  const app = await testApp()
  const { user, password, host, port, database } = app.connection
  const env = {
    TRIBUTARY_MODE: 'production',
    DATABASE_URL: `postgres://${String(user)}:${String(password)}@${String(host)}:${String(port)}/${String(database)}`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_MASTER_KEY: templateKeys.current.toString('base64'),
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:1',
  }
  return {
    app,
    env,
    run: (...words) => runHere(words, env),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

export async function runHere(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  const remark = (text: string) => {
    stderr += text
  }
  const write = async (text: string) => {
    stdout += text
  }
  const code = await runCommand(words, {
    described: describeConfig(env),
    configResult: readConfig(env),
    log: openLog('warn', remark),
    signal: new AbortController().signal,
    write,
    output: new PassThrough(),
    remark,
  })
  return endedWith(code, stdout, stderr)
}
