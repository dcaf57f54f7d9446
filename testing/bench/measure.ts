/**
 * Common to all benchmarks: runs the cases in turn, takes the median of the times and compares each case with the
 * first.
 */
import { spawn } from 'node:child_process'

interface BenchCase {
  readonly name: string
  /** Sets up the initial state of the databases; not measured. */
  readonly prepare?: () => Promise<unknown>
  readonly run: () => Promise<Measured>
}

export interface Measured {
  readonly seconds: number
  /** Of the measured process, unless it is an external tool. */
  readonly peakMb?: number
  readonly cpuSeconds?: number
}

export interface Comparison {
  readonly title: string
  /** Rows or documents per run. */
  readonly rows: number
  readonly unit?: string
  /** The first case is the baseline. */
  readonly cases: readonly BenchCase[]
}

/**
 * Runs the cases in turn, so that load on the machine affects them alike, and prints a table. `--rounds=N` sets the
 * number of rounds; the default is three.
 */
export async function compare({ title, rows, unit = 'rows', cases }: Comparison): Promise<void> {
  const rounds = readRoundsOption()
  const results = new Map<string, Measured[]>()
  for (let round = 0; round < rounds; round++) {
    for (const { name, prepare, run } of cases) {
      await prepare?.()
      const measured = await run()
      results.set(name, [...(results.get(name) ?? []), measured])
      process.stderr.write(`  ${round + 1}/${rounds} ${name}: ${measured.seconds.toFixed(2)} s\n`)
    }
  }
  const first = median(secondsOf(results.get(cases[0]?.name ?? '') ?? []))
  console.log(
    `\n## ${title} (median of ${rounds})\n\n| | ${unit}/s | s | ratio | peak MB | CPU s |\n|---|---|---|---|---|---|`,
  )
  for (const { name } of cases) {
    const runs = results.get(name) ?? []
    const seconds = median(secondsOf(runs))
    const figures = [
      Math.round(rows / seconds).toLocaleString('en'),
      seconds.toFixed(2),
      (first / seconds).toFixed(2),
      peak(runs),
      cpu(runs),
    ]
    console.log(`| ${name} | ${figures.join(' | ')} |`)
  }
}

function secondsOf(runs: readonly Measured[]): number[] {
  return runs.map((run) => run.seconds)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

function peak(runs: readonly Measured[]): string {
  const peaks = runs.flatMap((run) => run.peakMb ?? [])
  return peaks.length === 0 ? '' : Math.max(...peaks).toFixed(0)
}

function cpu(runs: readonly Measured[]): string {
  const seconds = runs.flatMap((run) => run.cpuSeconds ?? [])
  return seconds.length === 0 ? '' : median(seconds).toFixed(1)
}

/** Measures a shell pipeline. Throws with its error output if any command fails. */
export async function shell(command: string, environment: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const since = performance.now()
  await runProcess('bash', ['-c', `set -eo pipefail; ${command}`], environment)
  return { seconds: (performance.now() - since) / 1000 }
}

/**
 * Runs one of our scripts in a separate process. Its last output line is a `Measured` as JSON; see `reportMeasured`.
 */
export function script(file: string, job: unknown): Promise<Measured> {
  return runMeasured(process.execPath, [file, JSON.stringify(job)])
}

/** Runs any program whose last output line is a `Measured` as JSON. */
export async function runMeasured(program: string, args: readonly string[]): Promise<Measured> {
  const output = await runProcess(program, args, {})
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured
}

/** Prints the result of a script that `script` started. `seconds` excludes the start of Node. */
export function reportMeasured(seconds: number): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  console.log(
    JSON.stringify({
      seconds,
      peakMb: maxRSS / 1024,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    } satisfies Measured),
  )
}

function runProcess(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${file} ended with ${code}: ${complaint}`)),
    )
  })
}

/** Returns the command-line option `--rows=N`, or the default. */
export function readRowsOption(usual: number): number {
  return readOption('rows', usual)
}

/** Returns the command-line option `--rounds=N`; the default is three. */
export function readRoundsOption(): number {
  return readOption('rounds', 3)
}

export function readOption(name: string, usual: number): number {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))
  return given === undefined ? usual : Number(given.slice(name.length + 3))
}
