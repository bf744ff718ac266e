import { mix } from './color.ts'

/** Where the picture stands: an arched window. */
const ARCH = 'M748 630V300a204 204 0 0 1 408 0v330z'
const FRAME = 'M728 630V300a224 224 0 0 1 448 0v330z'

/** The church's own picture, a JPEG in base64, or a sunrise over a small church in its accent, seen through an arched window. */
export function drawCover(accent: string, picture: string | undefined): string {
  const view =
    picture === undefined
      ? drawSunrise(accent)
      : `<image href="data:image/jpeg;base64,${picture}" x="744" y="92" width="416" height="538" preserveAspectRatio="xMidYMid slice"/>`
  return `<clipPath id="arch"><path d="${ARCH}"/></clipPath>
<path d="${FRAME}" fill="none" stroke="#c98f3c" stroke-width="3"/>
<g clip-path="url(#arch)">${view}</g>
<path d="${ARCH}" fill="none" stroke="${accent}" stroke-width="8"/>`
}

function drawSunrise(accent: string): string {
  const night = mix(accent, '#1d0f22', 0.35)
  const dawn = mix(accent, '#f09a78', 0.45)
  const [far, middle, near] = [mix(dawn, night, 0.42), mix(dawn, night, 0.74), mix(night, '#000000', 0.25)]
  return `<defs>
<linearGradient id="sky" x1="0" y1="96" x2="0" y2="520" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="${night}"/><stop offset="0.5" stop-color="${dawn}"/><stop offset="0.9" stop-color="#fbd890"/></linearGradient>
<radialGradient id="glow"><stop offset="0" stop-color="#fff1c4"/><stop offset="0.35" stop-color="#fde0a0" stop-opacity="0.75"/><stop offset="1" stop-color="#fde0a0" stop-opacity="0"/></radialGradient>
</defs>
<path fill="url(#sky)" d="M740 90h424v540H740z"/>
<g fill="#fff6e0"><circle cx="838" cy="196" r="2.6"/><circle cx="900" cy="148" r="2"/><circle cx="1010" cy="168" r="2.8"/><circle cx="1078" cy="222" r="2.2"/><circle cx="958" cy="222" r="1.8"/><circle cx="806" cy="268" r="1.8"/></g>
<circle cx="890" cy="446" r="230" fill="url(#glow)"/>
<circle cx="890" cy="446" r="66" fill="#fff3cf"/>
<path fill="${far}" d="M740 448q70-34 130-14t120 10 90-24 90-4v240H740z"/>
<path fill="${middle}" d="M740 498q80-34 170-8t140 2 120-30v180H740z"/>
<g fill="${near}"><path d="M1004 512v-84h38v84zM995 430l28-66 28 66zM1042 512v-52l42-28 42 28v52zM1021 342h4v26h-4zM1014 349h18v4h-18z"/><path d="M740 560q120-58 240-48t200-14v140H740z"/></g>
<path fill="#fbd07a" d="M1017 482v-19a6 6 0 0 1 12 0v19zM1055 490v-14a5 5 0 0 1 10 0v14zM1079 490v-14a5 5 0 0 1 10 0v14zM1103 490v-14a5 5 0 0 1 10 0v14z"/>
<path fill="none" stroke="${night}" stroke-width="3.5" stroke-linecap="round" d="M826 338q12-12 20 0 8-12 20 0M880 306q9-9 15 0 6-9 15 0"/>`
}
