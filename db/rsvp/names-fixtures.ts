/**
 * Names as people type them, by language, each with the name that visitors see. Written before `publicNameOf`, as its
 * specification: a first name is shown only if it certainly is one and is not the whole name.
 */
const names = {
  English: `
    Ana Cole → Ana C. · Ana Maria Cole → Ana C. · Ana M. Cole → Ana C. · Ana C → Ana C. · Ana C. → Ana C. ·
    Ana Cole-Smith → Ana C. · Mary-Ann Cole → Mary-Ann C. · Ana O’Neil → Ana O. · Ana O'Neil → Ana O. ·
    Ana McDonald → Ana M. · LaToya Cole → LaToya C. · DeShawn Cole → DeShawn C. · Ana Cole Jr. → Ana C. ·
    Ana Cole Jr → Ana C. · Ana Cole III → Ana C. · Ana Cole, Jr. → A. C. · Ana → A. · Cole → C. · ana → A. ·
    ana cole → A. C. · ANA COLE → A. C. · COLE Ana → C. A. · Ana COLE → A. C. · A. Cole → A. C. · A Cole → A. C. ·
    JD Cole → J. C. · A. M. Cole → A. C. · AnaCole → A. · AnaCole Smith → A. S. · Ben Roe → Ben R. · Al Cole → Al C. ·
    Van Dyke → Van D. · Smith John → S. J. · Johnson Ana → J. A. · Cole, Ana → C. A. · Cole,Ana → C. A. ·
    Mr. Cole → C. · Mrs Cole → C. · Mr. and Mrs. Cole → C. · Mr & Mrs Cole → C. · Mr. Joel Cole → J. C. ·
    Dr. Ana Cole → A. C. · Ana Cole, MD → A. C. · Ana Cole PhD → Ana C. · Pastor Cole → C. ·
    Pastor Joel Cole → J. C. · Rev. Joel Cole → J. C. · Brother Joel → J. · Sister Cole → C. · Grandma Cole → C. ·
    Aunt Ana → A. · The Cole family → C. · The Cole Family → C. · Cole Family → C. · The Coles → C. ·
    Cole household → C. · Ana and Joel Cole → A. C. · Ana And Joel Cole → A. C. · Ana & Joel → A. J. ·
    Ana/Joel Cole → A. C. · Ana + 3 → A. · Ana + Joel → A. J. · Ana “Annie” Cole → A. C. · Ana "Annie" Cole → A. C. ·
    Ana 'Annie' Cole → A. C. · Ana (Annie) Cole → A. · Ana Cole (with Canary, 4) → A. C. · Cole (Ana) → C. ·
    Ana|Cole → A. C. · Ana_Cole → A. C. · Ana.Cole → A. C. · Ana-Cole → A. · Ana – Cole → A. C. · Ana Cole. → A. C. ·
    Ana Cole! → A. C. · Ana von Cole → Ana C. · Ana from church → A. C. · Ana St. John → Ana J. · Jo Cole → Jo C. ·
    Mickayla Cole → Mickayla C. · Nova Cole → Nova C. · Neva Cole → Neva C. · Ana Li → Ana L. · Ana C0le → A. L. ·
    Ana Maria de la Cruz Cole → Ana C. · Ana Cole Ph.D → A. D. · M → M. · ana M → A. M. · Pastor → P. ·
    Li Cole → L. C. · Lee Ann Cole → L. C. · O’Neil Ana → O. A. · McDonald Ana → M. A.`,
  'no name at all': `
    ana.cole@cole.example → A. C. · anacole@cole.example → A. · ANA@COLE.EXAMPLE → A. · @cole → C. ·
    Ana Cole <ana@cole.example> → A. C. · 555-0100 → ∅ · +1 (555) 010-0100 → ∅ · 5550100 → ∅ ·
    ٠١٠١٢٣٤٥٦٧٨ → ∅ · ０３－１２３４ → ∅ · Ana Cole 555-0100 → A. C. · Ana4 → A. · Ana Cole2 → A. C. · 4 Coles → C. ·
    😀😀 → ∅ · Ana 😀 Cole → A. C. · Ana Cole 🙏 → A. C. · 😀 Cole → C. · 👨‍👩‍👧‍👦 Cole → C. · ??? → ∅ ·
    -- → ∅ · (Canary) → C. · https://cole.example/ana → H. A. · <b>Ana</b> <i>Cole</i> → B. C. ·
    Ana '"); DROP TABLE rsvps;-- → A. R. · 𝓐𝓷𝓪 𝓒𝓸𝓵𝓮 → A. C. · Ａｎａ\u3000Ｃｏｌｅ → A. C. · Аna Cole → А. C.`,
  Spanish: `
    María García López → María L. · María José García → María G. · José Luis de la Cruz → José C. ·
    Ana Ortega y Gasset → A. G. · García López, María → G. M. · García María → G. M. · Hernández Ana → H. A. ·
    Familia García → G. · Sra. García → G. · Don José García → J. G. · Hermana María → M. · De la Cruz Ana → D. A. ·
    Íñigo Montoya → Íñigo M. · Núñez Ana → N. A.`,
  Portuguese: `
    João da Silva → João S. · Maria dos Santos → Maria S. · Ana Lúcia Costa e Silva → A. S. · Silva João → S. J. ·
    Irmã Lúcia → L. · Família Costa → C. · Seu Jorge → J.`,
  French: `
    Jean-Pierre Dubois → Jean-Pierre D. · Élodie Lefèvre → Élodie L. · Anne d’Arc → A. D. · DUBOIS Jean → D. J. ·
    Dubois Jean → D. J. · M. Dubois → D. · Mme Dubois → D. · M. et Mme Dubois → D. · Famille Dubois → D. ·
    Le Blanc Marie → L. M. · René Descartes → René D.`,
  German: `
    Jürgen Müller → Jürgen M. · Karl von und zu Guttenberg → K. G. · Anna von Trapp → Anna T. ·
    Müller, Jürgen → M. J. · Müller Jürgen → M. J. · Herr Müller → M. · Frau Dr. Müller → M. · Familie Müller → M. ·
    Fam. Müller → M. · Anna und Karl Müller → A. M. · Großmutter Anna → A.`,
  Italian: `
    Giulia Rossi → Giulia R. · Rossi Giulia → R. G. · Leonardo Di Caprio → Leonardo C. · Di Caprio Leonardo → D. L. ·
    Famiglia Rossi → R. · Sig. Rossi → R. · D’Angelo Maria → D. M.`,
  Dutch: `
    Anna van der Berg → Anna B. · Van der Berg Anna → V. A. · Sander de Vries → Sander V. · Familie de Vries → D. V. ·
    Mevrouw Jansen → J. · Ds. Jansen → J.`,
  Polish: `
    Łukasz Kowalski → Łukasz K. · Kowalski Łukasz → K. Ł. · Żaneta Wiśniewska → Żaneta W. · Pani Kowalska → K. · Potocki Jan → P. J. ·
    Ksiądz Jan Kowalski → J. K.`,
  'Czech and Slovak': `
    Kateřina Nováková → Kateřina N. · Nováková Kateřina → N. K. · Novák Jan → N. J. · Ľubomír Novák → Ľubomír N.`,
  Hungarian: `
    Nagy Anna → N. A. · Kovács János → K. J. · Szabó Péterné → S. P. · Erdős Pál → E. P. · Anna Kovács → Anna K. ·
    Kovácsné Nagy Anna → K. A. · Dr. Nagy Anna → N. A.`,
  Romanian: 'Ștefan Ionescu → Ștefan I. · Ionescu Ștefan → I. Ș. · Familia Popescu → P.',
  'Serbian and Croatian': `
    Đorđe Petrović → Đorđe P. · Petrović Đorđe → P. Đ. · Јован Петровић → Јован П. · Петровић Јован → П. Ј.`,
  Russian: `
    Анна Петрова → Анна П. · Петрова Анна → П. А. · Иван Иванович Пушкин → Иван П. · Пушкин Иван Иванович → П. И. ·
    Пушкин Александр → П. А. · Иван Петров → Иван П. · Иванов Иван → И. И. · анна петрова → А. П. ·
    АННА ПЕТРОВА → А. П. · Анна → А. · Анна Сергеевна → А. С. · Пастор Иван Петров → И. П. · Семья Петровых → П. ·
    Брат Иван → И. · Ivanov Ivan → I. I. · Medvedev Ivan → M. I. · Medvedeva Anna → M. A. · Sikorskaya Anna → S. A. ·
    Фёдор Достоевский → Фёдор Д. · Анна Поповичева → Анна П. · Ana Петрова → A. П. · Анна Maria Петрова → А. П.`,
  Ukrainian: `
    Марія Шевченко → Марія Ш. · Шевченко Марія → Ш. М. · Мар’яна Ковальчук → Мар’яна К. ·
    Катерина Бондаренко → Катерина Б. · Сім’я Бондаренко → Б. · Олена Хмельницька → Олена Х. ·
    Шевченко Ковальчук → Ш. К. · Анна Petrova → А. P. · Марʼяна Ковальчук → Марʼяна К. · Аннаʼ Ковальчук → А. К.`,
  Greek: `
    Μαρία Παπαδοπούλου → Μαρία Π. · Παπαδόπουλος Γιώργος → Π. Γ. · Νίκος Γεωργιάδης → Νίκος Γ. · Γιώργος → Γ. ·
    Οικογένεια Παπαδοπούλου → Π. · Νίκος Σταυρίδης → Νίκος Σ. · Μαρία Γεωργιάδου → Μαρία Γ. ·
    Ana Παπαδοπούλου → A. Π. · Μαρία Ana Παπαδοπούλου → Μ. Π.`,
  Turkish: 'Ayşe Yılmaz → Ayşe Y. · İpek Öztürk → İpek Ö. · Yılmaz Ayşe → Y. A. · Ahmet Bey → A. · Ayşe Hanım → A.',
  Icelandic: `
    Jón Einarsson → Jón E. · Björk Guðmundsdóttir → Björk G. · Einarsson Jón → E. J. · Þóra Jónsdóttir → Þóra J. ·
    Jónsdóttir Þóra → J. Þ. · M\u0308ara Lind → M\u0308ara L.`,
  'Swedish and Finnish': `
    Åsa Lindström → Åsa L. · Virtanen Matti → V. M. · Matti Virtanen → Matti V. · Familjen Lindström → L. ·
    Anna och Åke Lind → A. L.`,
  Arabic: `
    محمد علي → م. ع. · محمد → م. · عبد الله حسن → ع. ح. · أبو محمد → أ. م. · Mohammed Al-Sayed → Mohammed A. ·
    Abu Bakr → A. B. · Al Sayed Mohammed → A. M. · Khalid bin Walid → Khalid W.`,
  Hebrew: 'דוד כהן → ד. כ. · דוד → ד. · ד״ר דוד כהן → ד. כ. · משפחת כהן → מ. כ.',
  Persian: 'علی رضایی → ع. ر. · می‌خواهم → م. خ.',
  Hindi: `
    अजय शर्मा → अ. श. · मोहन → मो. · श्री अजय शर्मा → श. श. · Ajay Sharma → Ajay S. · Shri Ajay Sharma → A. S. ·
    Sharma Ajay → S. A.`,
  Tamil: 'மு. கருணாநிதி → ம. க. · முருகன் → மு.',
  Thai: 'สมชาย ใจดี → ส. ใ. · สมชายใจดี → ส. · คุณสมชาย → คุ.',
  'Burmese and Khmer': 'အောင်ဆန်း → အေ. · စု → စ. · លី → ល.',
  Amharic: 'አበበ ቢቂላ → አ. ቢ. · Abebe Bikila → Abebe B.',
  'Georgian and Armenian': `
    ნინო ბერიძე → ნ. ბ. · Beridze Nino → B. N. · Արամ Խաչատրյան → Ա. Խ. · Aram Khachaturian → Aram K.`,
  Vietnamese: `
    Nguyễn Văn An → N. A. · Nguyen Van An → N. A. · An Nguyễn → A. N. · An Nguyen → A. N. · Hoa Nguyen → Hoa N. ·
    Trần Thị Hoa → T. H. · Tran Hoa → T. H. · Lê Hoa → L. H. · Phạm Hoa → P. H. · Mục sư Phạm → M. P.`,
  Indonesian: `
    Suharto → S. · Budi Santoso → Budi S. · Bapak Budi → B. · Ibu Siti → S. · Pak Budi Santoso → B. S. ·
    Keluarga Santoso → S.`,
  'Tagalog and Swahili': `
    Juan dela Cruz → Juan C. · Kuya Juan → J. · Ate Maria → M. · Mchungaji Juma → J. · Juma Mwangi → Juma M. ·
    Mama Asha → A.`,
  'Yoruba, Igbo and Akan': 'Chidi Okafor → Chidi O. · Ọlá Adéyẹmí → Ọ. A. · Kwame Nkrumah → Kwame N.',
  Chinese: `
    王小明 → 王. · 王 小明 → 王. · 李娜 → 李. · 欧阳小明 → 欧. · 王先生 → 王. · 王牧师 → 王. · 王小明，李娜 → 王. · Wang Xiaoming → W. X. ·
    Xiaoming Wang → Xiaoming W. · Xiaoming Wang (王小明) → X. W. · 王小明 Ming → 王. · ㄨㄤˊ → ㄨ.`,
  Japanese: `
    山田太郎 → 山. · 山田 太郎 → 山. · 山田\u3000太郎 → 山. · 山田太郎 様 → 山. · 山田さん → 山. · やまだ たろう → や. · ヤマダタロウ → ヤ. · ﾔﾏﾀﾞ ﾀﾛｳ → ヤ. ·
    アナ・コール → ア. · アナ＝コール → ア. · コール、アナ → コ. · Cole、Ana → C. A. · Yamada Taro → Y. T. · Taro Yamada → Taro Y. ·
    Taro YAMADA → T. Y. · 佐々木 → 佐.`,
  Korean: `
    김민수 → 김. · 김 민수 → 김. · 김 민 → 김. · 김민수 집사 → 김. · 김민수집사님 → 김. · 홍길동 목사님 → 홍. · 남궁민수 → 남. · 김민수(아나) → 김. ·
    김，민수 → 김. · 김ana → 김. · ana김민수 → A. · Ana 김 → A. · ㄱㅁㅅ → ㄱ. · Kim Min-su → K. M. · Min-su Kim → Min-su K. ·
    Minsu Kim → Minsu K. · Hong Gildong → H. G. · Park Jisung → P. J.`,
}

/** The same as pairs; ∅ is a name of which nothing is shown. */
export const publicNames = Object.entries(names).map(([language, text]) => ({
  language,
  names: text
    .trim()
    .split(/\s+·\s+/)
    .map((pair) => pair.replace('∅', 'Guest').split(' → ')),
}))
