/** A test server with the command line of the same installation. */
import { PassThrough } from 'node:stream'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { describeConfig } from '../../../server/src/kernel/config/describe-settings.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { templateKeys } from '../app/template-keys.ts'
import { runCommand } from '../../../server/src/cli/run-command.ts'
import { type CommandOutput, commandOutput } from './command-output.ts'

export interface TestConsole extends AsyncDisposable {
  readonly app: TestApp
  /** The operator's environment variables. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a command in this process, because a separate process takes a second to start. */
  run(...words: readonly string[]): Promise<CommandOutput>
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
    run: (...words) => runInProcess(words, env),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

export async function runInProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandOutput> {
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
  return commandOutput(code, stdout, stderr)
}
