/** Passwords that everybody tries first, and that would pass the rule of length and characters. In lower case. */
const words = list(`
  password passw0rd p@ssword p@ssw0rd qwerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm azerty qwertz abc abcd abcdef admin
  administrator root letmein welcome monkey dragon iloveyou sunshine princess football baseball superman batman master shadow
  michael jordan hunter killer charlie pokemon starwars secret changeme default guest test login love hello freedom whatever trustno
  summer winter spring autumn tributary company office computer internet google samsung liverpool arsenal chelsea access user
`)
const endings = ['', ...list(`! 1 1! 12 123 123! 1234 12345 123456 2020 2021 2022 2023 2024 2025 2026 01 007 @123 #1`)]
const others = list(`
  123456 1234567 12345678 123456789 1234567890 12345 123123 123321 111111 000000 222222 555555 666666 777777 888888 999999 121212
  112233 123qwe qwe123 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx 1qazxsw2 654321 987654321 7777777 88888888 00000000 11111111
  a1b2c3 a123456 aa123456 q1w2e3r4 159753 147258369 !@#$%^ !@#$%^&* 102030 789456123 123abc abc12345 131313 101010 1234qwer qwer1234
  3rjs1la7qe 18atcskd2w
`)

export const commonPasswords: ReadonlySet<string> = new Set([...words.flatMap((word) => endings.map((ending) => word + ending)), ...others])

function list(text: string): readonly string[] {
  return text.trim().split(/\s+/u)
}
