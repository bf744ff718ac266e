/** Two spellings of one name. */
export const sameNames = [
  ['José Núñez', 'JOSÉ NÚÑEZ'],
  ['José Núñez', 'José Núñez'.normalize('NFD')],
  ['Жанна Ким', 'жанна ким'],
  ['O’Brien Pat', "O'Brien Pat"],
  ['D‘Angelo Pat', 'DʼAngelo Pat'],
  ['D`Angelo Pat', 'D´Angelo Pat'],
  ['Mary-Ann Lind', 'Mary‐Ann Lind'],
  ['Mary‑Ann Lind', 'Mary–Ann Lind'],
  ['Ruth Lind', 'Ruth  \u00a0 Lind'],
  ['Ruth Lind', '\u200fRuth Lind\u200e'],
  ['Ruth Lind', 'Ru\u200bth\ufeff Li\u00adnd'],
  ['Ｒｕｔｈ　Ｌｉｎｄ', 'Ruth Lind'],
  ['Jörg Groß', 'JÖRG GROSS'],
  ['Jörg Groß', 'JÖRG GROẞ'],
  ['Νίκος Παππάς', 'ΝΊΚΟΣ ΠΑΠΠΆΣ'],
  ['İbrahim Yılmaz', 'İBRAHİM YILMAZ'],
  ['İbrahim Yılmaz', 'ibrahim yilmaz'],
  ['O＇Brien Pat', 'O｀Brien Pat'],
  ['Jean－Luc Roy', 'Jean—Luc Roy'],
  ['علی\u200cرضا کریمی', 'علیرضا کریمی'],
  ['ז׳אן כהן', "ז'אן כהן"],
  ['ﬁona Lind', 'Fiona Lind'],
  ['Ａｎａ ﾔﾏﾀﾞ', 'Ana ヤマダ'],
  ['Արամ Եղիազարյան', 'ԱՐԱՄ ԵՂԻԱԶԱՐՅԱՆ'],
]

/** Two names. */
export const otherNames = [
  ['Ruth Lind', 'Lind Ruth'],
  ['Ruth Lind', 'Ruth M. Lind'],
  ['Zoe Lind', 'Zoë Lind'],
  ['Ruth Lind', 'RuthLind'],
  ['Mary-Ann Lind', 'Mary Ann Lind'],
  ['김민수', '김민서'],
]
