// The icons that only administrators see.

export const download = 'M12 3.5v12m0 0 4.5-4.5M12 15.5 7.5 11M4 17.5v1a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-1'
export const copy =
  'M11 8.5h7a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5h-7a2.5 2.5 0 0 1-2.5-2.5v-7a2.5 2.5 0 0 1 2.5-2.5ZM15.5 8.5V6A2.5 2.5 0 0 0 13 3.5H6A2.5 2.5 0 0 0 3.5 6v7A2.5 2.5 0 0 0 6 15.5h2.5'
