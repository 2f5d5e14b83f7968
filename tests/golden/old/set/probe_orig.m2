S Anna have lost her keys again , so she is waiting outside .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S When Peter arrive at the airport , he called his parents .
A 2 3|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0

S Daniel said that he was a child when the war begun .
A 10 11|||R:VERB:FORM|||began|||REQUIRED|||-NONE-|||0

S Even when Maria are tired , she is still a good driver .
A 3 4|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S Thomas hurt himself while he was repair the roof .
A 6 7|||R:MORPH|||repairing|||REQUIRED|||-NONE-|||0

S Sofia taught herself to playing the guitar .
A 4 5|||R:VERB:FORM|||play|||REQUIRED|||-NONE-|||0

S The doctors operated at his back , and now Martin can walk again .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Laura put the phone in her pocket and go out .
A 8 9|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S Robert is very exciting because his sister is coming .
A 3 4|||R:MORPH|||excited|||REQUIRED|||-NONE-|||0

S I met Emma last summer and she tell me about her new job .
A 7 8|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Victor become a teacher because he was a patient person .
A 1 2|||R:VERB:TENSE|||became|||REQUIRED|||-NONE-|||0

S Julia is my neighbour , and she is a very kindly person .
A 10 11|||R:MORPH|||kind|||REQUIRED|||-NONE-|||0

S Kevin always looks at himself in the mirror before he leaves house .
A 11 11|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Alice bought herself a new bicicle .
A 5 6|||R:SPELL|||bicycle|||REQUIRED|||-NONE-|||0

S Oliver washed his face and brush his teeth .
A 5 6|||R:VERB:TENSE|||brushed|||REQUIRED|||-NONE-|||0

S Clara could not open her eyes because of the light was too strong .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S Mark did not came to the party because he had broken his leg .
A 3 4|||R:VERB:FORM|||come|||REQUIRED|||-NONE-|||0

S Diana work at night , so I never see her in the morning .
A 1 2|||R:VERB:SVA|||works|||REQUIRED|||-NONE-|||0

S If you see Simon , tell him that I am waiting in the station .
A 11 12|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Nora forgot that her umbrella , so I gave her mine .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Paul knew that he was the best student of the class .
A 8 9|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Helen was proud because she was the first who finished the race .
A 8 8|||M:NOUN|||person|||REQUIRED|||-NONE-|||0

S George blamed himself of the accident .
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S Irene promised herself that she would never smoking again .
A 7 8|||R:MORPH|||smoke|||REQUIRED|||-NONE-|||0

S James lost his balance and falled down the stairs .
A 5 6|||R:VERB:INFL|||fell|||REQUIRED|||-NONE-|||0

S Monica raised her hand to ask question .
A 6 6|||M:DET|||a|||REQUIRED|||-NONE-|||0

S Bruno 's boss gave him more money because he works hardly .
A 10 11|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0

S Sara is living here since she was born .
A 1 2|||R:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||lived|||REQUIRED|||-NONE-|||0

S The book on the table is Felix 's ; at least I thinks it is his .
A 12 13|||R:VERB:SVA|||think|||REQUIRED|||-NONE-|||0

S The red car must be Eva 's because mine is blue and hers is reder .
A 14 15|||R:MORPH|||red|||REQUIRED|||-NONE-|||0

S Lucas do n't like it when people laugh at him .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S Greta has did all her homework because she has a test tomorrow .
A 2 3|||R:VERB:FORM|||done|||REQUIRED|||-NONE-|||0

S Adam cut himself by a knife when he was cooking .
A 3 4|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S Rita said she is an only child , and she has no brother and sisters .
A 12 13|||R:NOUN:NUM|||brothers|||REQUIRED|||-NONE-|||0
A 13 14|||R:CONJ|||or|||REQUIRED|||-NONE-|||0

S Hugo broke his arm when he was ride a horse .
A 7 8|||R:VERB:FORM|||riding|||REQUIRED|||-NONE-|||0

S As soon as Ivan will finish school , he wants to travel .
A 4 5|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||finishes|||REQUIRED|||-NONE-|||0

S Although Petra was tire , she continued her work .
A 3 4|||R:MORPH|||tired|||REQUIRED|||-NONE-|||0

S I trust Leon because he has never told to me a lie .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S Carla was only a child , but she was already a famous swimer .
A 12 13|||R:SPELL|||swimmer|||REQUIRED|||-NONE-|||0

S Oscar introduced himself to new neighbours .
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0

