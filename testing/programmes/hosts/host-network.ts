/**
 * Hosts as network namespaces on one bridge, each with an address and a clock. It works in the network and mount namespaces
 * that `npm run programme -- hosts` creates, so no packet leaves them and nothing is left behind.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const prefix = '10.77.0'
const clockLibrary = process.env['TRIBUTARY_FAKETIME'] ?? ''

export class NamespaceHost {
  readonly name: string
  readonly address: string
  readonly #clockFile: string

  constructor(name: string, number: number, folder: string) {
    this.name = name
    this.address = `${prefix}.${number}`
    this.#clockFile = join(folder, `${name}.clock`)
    this.setClock(0)
    const device = `v-${name}`
    ip('netns', 'add', name)
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', device, 'master', 'bridge', 'up')
    ip('-n', name, 'addr', 'add', `${this.address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
    this.restoreNetwork()
  }

  /** Sets the clock of all processes of the host, running ones included. Durations are not affected. */
  setClock(aheadSeconds: number): void {
    writeFileSync(this.#clockFile, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`)
  }

  /** Starts a process on the host. Its process id is that of the program, so that signals reach it. */
  spawn(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    return spawn('ip', ['netns', 'exec', this.name, ...command], {
      env: {
        PATH: process.env['PATH'] ?? '',
        ...env,
        LD_PRELOAD: clockLibrary,
        FAKETIME_TIMESTAMP_FILE: this.#clockFile,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Drops every packet, so that connections fall silent instead of being closed. */
  cut(): void {
    this.#filter('drop', 'drop')
  }

  /** Drops packets to and from this host in one direction: the other one still arrives. */
  cutOneWay(direction: 'sending' | 'receiving', other: NamespaceHost): void {
    if (direction === 'sending') this.#filter('accept', `ip daddr ${other.address} drop`)
    else this.#filter(`ip saddr ${other.address} drop`, 'accept')
  }

  loseShare(percent: number): void {
    this.#filter(`numgen random mod 100 < ${percent} drop`, `numgen random mod 100 < ${percent} drop`)
  }

  restoreNetwork(): void {
    this.#filter('accept', 'accept')
  }

  #filter(input: string, output: string): void {
    execFileSync('ip', ['netns', 'exec', this.name, 'nft', '-f', '-'], {
      input: `table inet cuts
        delete table inet cuts
        table inet cuts {
          chain receiving { type filter hook input priority 0; iif lo accept; ${input}; }
          chain sending { type filter hook output priority 0; oif lo accept; ${output}; }
        }`,
    })
  }
}

/** The host of the tests is the first address of the bridge. @param folder where the clocks of hosts are kept */
export function openHostNetwork(folder: string): (name: string, number: number) => NamespaceHost {
  if (clockLibrary === '') throw new Error('Start this programme by `npm run programme -- hosts`.')
  mkdirSync(folder, { recursive: true })
  ip('link', 'add', 'bridge', 'type', 'bridge')
  ip('addr', 'add', `${prefix}.1/24`, 'dev', 'bridge')
  ip('link', 'set', 'bridge', 'up')
  return (name, number) => new NamespaceHost(name, number, folder)
}

function ip(...command: readonly string[]): void {
  execFileSync('ip', command, { stdio: ['ignore', 'ignore', 'inherit'] })
}
