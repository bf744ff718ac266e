/** The roles of a new site; the catalogues of the site translate them. */
export const seededRoles = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']
